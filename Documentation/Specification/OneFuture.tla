----------------------------- MODULE OneFuture -----------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* What is checked of a single future: all programs of two clients that are  *)
(* made of the calls below, and all sets of handlers from the beginning.     *)

EXTENDS Refinement

add(place, trigger) == <<"add", 1, place, trigger>>
call(name) == <<name, 1>>

NoHandlers == { <<>> }
OneHandler == { <<add("inline", "both")>>, <<add("queue", "both")>> }
Mixed == { <<add("inline", "both"), add("queue", "completed"), add("inline", "cancelled"), add("queue", "both")>> }

Decisions == { call("complete"), call("cancel") }
Tries == { call("tryComplete"), call("tryCancel") }
Blocks == { call("peek"), call("blockComplete") }
Late == { add("queue", "both"), add("inline", "both") }
Polls == { call("poll") }
Removals == { <<"remove", 1, 1>> }
WaitingBlocks == { call("peekAndWait") }

UpTo(n, calls) == UNION { [1..k -> calls] : k \in 1..n }

Each == Decisions \union Tries \union Blocks \union Late \union Polls \union Removals

Programs_(beginnings, firsts, seconds) ==
  { [c \in 0..2 |-> IF c = 0 THEN b ELSE IF c = 1 THEN p ELSE q] : b \in beginnings, p \in firsts, q \in seconds }

\* Two calls against one: all pairs of decisions, blocks, late handlers and removals.
SmallPrograms == Programs_(OneHandler, [1..2 -> Decisions \union Blocks \union Late], [1..1 -> Decisions \union Removals])
NoGraph == { {} }
=============================================================================
