----------------------------- MODULE OneFuture -----------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* The machine of a single future, beside the literal queue.                 *)

EXTENDS Refinement, Programs

NoLinks == { {} }
=============================================================================
