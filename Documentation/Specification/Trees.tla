------------------------------- MODULE Trees -------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* What is checked of linked futures: graphs of links, rings and diamonds    *)
(* included, two who decide, and one block.                                  *)

EXTENDS Machine

CONSTANT Bystanders  \* whether there are futures without a handler, too

Kinds == { "cascade", "pass" }
Pairs == { p \in Futures \X Futures : p[1] # p[2] }

\* All graphs the links of which are of one kind.
UniformGraphs == UNION { { { <<p[1], p[2], k>> : p \in set } : set \in SUBSET Pairs } : k \in Kinds }

\* All graphs of up to three links of both kinds, one in each direction.
SmallGraphs ==
  { g \in UNION { { { <<p[1], p[2], kind[p]>> : p \in set } : kind \in [set -> Kinds] }
                  : set \in { s \in SUBSET Pairs : Cardinality(s) <= 3 } } : TRUE }

\* Future 1 is cancelled by the one; any future is decided by the other; a block runs on any, or on none.
\* Each future has an inline handler, which starts as soon as any may.
Handlers1(set) == { s \in UNION { [1..n -> set] : n \in 0..Cardinality(set) } : \A i, j \in DOMAIN s : i < j => s[i] < s[j] }

TreePrograms ==
  { [c \in 0..3 |-> CASE c = 0 -> [i \in DOMAIN hs |-> <<"add", hs[i], "inline", "both">>]
                      [] c = 1 -> << <<"cancel", 1>> >>
                      [] c = 2 -> << <<second, f>> >>
                      [] OTHER -> block]
    : hs \in { s \in Handlers1(Futures) : IF Bystanders THEN s # <<>> ELSE Len(s) = Cardinality(Futures) },
      second \in { "cancel" },
      f \in Futures,
      block \in { <<>> } \union { << <<name, g>> >> : name \in { "peek", "blockCancel" }, g \in Futures } }

TreeProgramsWithoutBlock == { p \in TreePrograms : p[3] = <<>> }
=============================================================================
