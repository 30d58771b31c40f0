------------------------------ MODULE OneQueue ------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* The literal queue alone.                                                  *)

EXTENDS Literal, Programs

CONSTANT AllPrograms

QInit == prog \in AllPrograms /\ lit = Start

IsOver == \A c \in Clients : lit.at[c] = Len(prog[c]) /\ lit.call[c] = "idle"
QNext == Next \/ (IsOver /\ lit.queue = <<>> /\ UNCHANGED <<prog, lit>>)
=============================================================================
