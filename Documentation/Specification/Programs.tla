----------------------------- MODULE Programs ------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* The programs that are checked of a single future, 1: of two clients, and  *)
(* of nobody (0), which stands for the handlers that are there before.       *)

EXTENDS Naturals, Sequences

add(place, trigger) == <<"add", 1, place, trigger>>
call(name) == <<name, 1>>

OneInline == <<add("inline", "both")>>
OneQueued == <<add("queue", "both")>>
TwoInline == OneInline \o OneInline
Mixed == <<add("inline", "completed"), add("queue", "completed"), add("inline", "cancelled"), add("queue", "both")>>

Decisions == { call("complete"), call("cancel") }
Tries == { call("tryComplete"), call("tryCancel") }
Blocks == { call("peek"), call("blockComplete") }
Late == { add("queue", "both"), add("inline", "both") }
Polls == { call("poll") }
Removals == { <<"remove", 1, 1>> }

Each(n, calls) == [1..n -> calls]
All(beginnings, firsts, seconds) ==
  { [c \in 0..2 |-> IF c = 0 THEN b ELSE IF c = 1 THEN p ELSE q] : b \in beginnings, p \in firsts, q \in seconds }

\* Two decide, once each.
TwoDecisions == All({ OneInline }, Each(1, Decisions), Each(1, Decisions))
\* A block, and a decision beside it.
BlockAndDecision == All({ OneQueued }, Each(1, Blocks), Each(1, Decisions))
\* Blocks and late handlers beside a decision.
LateAndBlock == All({ TwoInline, OneQueued }, Each(2, Late \union { call("peek") }), Each(1, Decisions))
LateAndDecision == All({ OneQueued }, Each(1, Late), Each(1, Decisions))
\* A handler is removed beside a decision.
RemovalAndDecision == All({ OneInline, OneQueued }, Each(1, Removals), Each(1, Decisions))
\* Handlers of either outcome, and a decision.
MixedAndDecision == All({ Mixed }, Each(1, Polls), Each(1, Decisions))
\* Blocks that their caller waits for.
LateAndWaitingBlock ==
  All({ TwoInline }, { <<add("queue", "both"), call("peekAndWait")>> }, { <<call("cancel")>> })

\* All that two calls of the one and one call of the other may be.
TwoAgainstOne ==
  All({ OneInline, OneQueued }, Each(2, Decisions \union Blocks \union Late), Each(1, Decisions \union Tries \union Blocks))
    \union All({ Mixed }, Each(2, Removals \union Polls \union { call("tryCancel") }), Each(1, { call("complete"), call("blockComplete") }))
=============================================================================
