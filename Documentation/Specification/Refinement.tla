----------------------------- MODULE Refinement -----------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* Law L4: whatever is seen of the machine can be seen of the literal queue. *)
(*                                                                           *)
(* The machine runs beside `explanations`: all states in which the literal   *)
(* queue may be, after exactly what was seen so far.  If there is none left, *)
(* nothing explains the history.  As all of them are kept, no mapping has to *)
(* be invented, nor a prophecy: this is inclusion of the sets of histories.  *)

EXTENDS Machine

CONSTANT InlineOnQueue
VARIABLE explanations

L == INSTANCE Literal WITH lit <- explanations

RInit == Init /\ explanations = {L!Start}
RNext ==
  \/ Step /\ explanations' = IF event' = <<>> THEN explanations ELSE L!After(explanations, event')
  \/ IsOver /\ UNCHANGED <<vars, explanations>>

\* What was seen last is told, and needs no states of its own.
RVars == <<prog, links, fut, claim, cut, queue, thread, answer, excused, order, explanations>>

IsExplained == explanations # {}
=============================================================================
