------------------------------- MODULE Trees -------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* What is checked of linked futures: graphs of links, rings and diamonds    *)
(* included, two who cancel, and one block.                                  *)

EXTENDS Machine

Kinds == { "cascade", "pass" }
\* A child has one parent, and a derived future one source, which were there before.
AllKinds == Kinds \union { "child", "derive" }
Pairs == { p \in Futures \X Futures : p[1] # p[2] }

Uniform(most) ==
  { { <<p[1], p[2], k>> : p \in set } : k \in Kinds, set \in { s \in SUBSET Pairs : Cardinality(s) <= most } }

\* Links of one kind in all graphs, or in those of a few.
AllLinks == Uniform(Cardinality(Pairs))
ThreeLinks == Uniform(3)
TwoLinks == Uniform(2)

\* Links of both kinds, in all graphs of up to three.
MixedLinks ==
  UNION { { { <<p[1], p[2], kind[p]>> : p \in set } : kind \in [set -> Kinds] }
          : set \in { s \in SUBSET Pairs : Cardinality(s) <= 3 } } \ ThreeLinks

\* Children and derived futures, in all graphs of three in which each future depends on earlier ones.
Families ==
  LET Own(graph, f) == { l \in graph : l[2] = f /\ ~IsObject(l) }
      Into(graph, f) == { l \in graph : l[2] = f }
  IN { graph \in { UNION { IF kind[p] = None THEN {} ELSE { <<p[1], p[2], kind[p]>> } : p \in { q \in Pairs : q[1] < q[2] } } :
                    kind \in [{ q \in Pairs : q[1] < q[2] } -> AllKinds \union {None}] } :
         /\ \E f \in Futures : Own(graph, f) # {}
         /\ \A f \in Futures : Own(graph, f) # {} =>
              /\ Cardinality(Own(graph, f)) = 1
              /\ (\E l \in Own(graph, f) : Kind(l) = "derive") => Cardinality(Into(graph, f)) = 1 }

\* The rings of three, and the diamonds of four.
Rings == { { <<1, 2, k>>, <<2, 3, k>>, <<3, 1, k>> } : k \in Kinds }
Diamonds == { { <<1, 2, k>>, <<1, 3, k>>, <<2, 4, k>>, <<3, 4, k>> } : k \in Kinds }
\* A walk that joins another one in the middle has to find the way on: back to 1 and forth to 3; forth to 2 and back to 3.
Forks == { { <<1, 2, "pass">>, <<1, 3, "pass">>, <<2, 4, "pass">> }, { <<4, 1, "pass">>, <<1, 2, "pass">>, <<3, 2, "pass">> } }
\* Three in a line.
LineOfTwo == { { <<1, 2, k>>, <<2, 3, k>> } : k \in Kinds }
\* Three in a line, and one below two.
SmallTrees == UNION { { { <<1, 2, k>>, <<2, 3, k>> }, { <<1, 3, k>>, <<2, 3, k>> } } : k \in Kinds }

\* Those, and the rings; and one link that acts both ways.
SmallTreesAndRings == SmallTrees \union Rings
OneBothWays == { { <<1, 2, k>> } : k \in { "pass", "derive" } }

\* One link, in both directions.
OneLink == { { <<1, 2, k>> } : k \in AllKinds } \union { { <<2, 1, k>> } : k \in Kinds }

\* One cancels future 1, the other 1 or another: future 2, as the rest of them may change names.  A block runs on any,
\* and looks, or cancels.  Each future has an inline handler, which starts as soon as any may.
Beginning == [f \in Futures |-> <<"add", f, "inline", "both">>]
With(blocks) ==
  { [c \in 0..3 |-> CASE c = 0 -> Beginning
                      [] c = 1 -> << <<"cancel", 1>> >>
                      [] c = 2 -> << <<"cancel", f>> >>
                      [] OTHER -> block]
    : f \in 1..2, block \in blocks }

AnyTwoCancel ==
  { [c \in 0..3 |-> CASE c = 0 -> Beginning
                      [] c = 1 -> << <<"cancel", f>> >>
                      [] c = 2 -> << <<"cancel", g>> >>
                      [] OTHER -> <<>>]
    : f, g \in Futures }
TwoCancel == With({ <<>> })
TwoCancelAndBlock ==
  { p \in With({ << <<name, g>> >> : name \in { "peek", "blockCancel" }, g \in Futures }) : p[2][1][2] = 2 }

\* Nobody waits for the futures, or only a handler of future 1; one cancels 1, the other any.
NobodyWaits ==
  { [c \in 0..3 |-> CASE c = 0 -> beginning
                      [] c = 1 -> << <<"cancel", 1>> >>
                      [] c = 2 -> << <<"cancel", f>> >>
                      [] OTHER -> <<>>]
    : beginning \in { <<>>, << <<"add", 1, "inline", "both">> >> }, f \in Futures }

\* One completes or cancels future 1, and a block runs on any, and looks, completes or cancels.
EndAndBlock ==
  { [c \in 0..3 |-> CASE c = 0 -> Beginning
                      [] c = 1 -> << <<name, 1>> >>
                      [] c = 2 -> << <<block, g>> >>
                      [] OTHER -> <<>>]
    : name \in { "cancel", "complete" }, block \in { "peek", "blockComplete", "blockCancel" }, g \in Futures }
=============================================================================
