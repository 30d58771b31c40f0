------------------------------ MODULE Children ------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* The memory of children (E3): a parent whose list doesn't keep them, the   *)
(* threads that resolve or release them, and two walks over the parent.  A   *)
(* step is one turn of one lock, or one change of a count.  Names are those  *)
(* of `ChildFuture.swift`; what is in `Without` is built without that guard. *)

EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Kids,     \* the children
  Ends,     \* what may happen to the parent: "completed", "cancelled" or both
  Without   \* the guards that are left out

VARIABLES
  phase,    \* the parent: "pending", "marking", "delivering" or "resolved"
  outcome,  \* its outcome
  list,     \* the children in its list, in order
  kept,     \* those whose count belongs to the list
  count,    \* each child's strong count
  source,   \* each child: whether the parent is still among its sources
  kid,      \* each child: "owned", "leaving" (resolved by its owner), "left", "unowned", "dying" (at its end) or "freed"
  walks,    \* each of two walks: the children that it has collected and keeps, one after the other
  piece     \* the deliverer: the child that it has taken, or nothing

vars == <<phase, outcome, list, kept, count, source, kid, walks, piece>>

Has(guard) == guard \notin Without
None == "none"
Range(s) == { s[i] : i \in 1..Len(s) }
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)

RECURSIVE ToSeq(_)
ToSeq(set) == IF set = {} THEN <<>> ELSE LET e == CHOOSE e \in set : TRUE IN <<e>> \o ToSeq(set \ {e})

Init ==
  /\ phase = "pending" /\ outcome = None
  /\ list = ToSeq(Kids) /\ kept = {}
  /\ count = [k \in Kids |-> 1] /\ source = [k \in Kids |-> TRUE] /\ kid = [k \in Kids |-> "owned"]
  /\ walks = [w \in {1, 2} |-> <<>>]
  /\ piece = <<>>

Keeps(k) == count[k] > 0
\* After the count of a child went down to `n`.
Fate(k, n) == IF n = 0 THEN "dying" ELSE kid[k]

-----------------------------------------------------------------------------
(* The children.                                                             *)

\* The owner resolves the child, and takes the parent from its sources; or drops it.
Resolve(k) ==
  /\ kid[k] = "owned"
  /\ kid' = [kid EXCEPT ![k] = IF source[k] THEN "leaving" ELSE "left"]
  /\ source' = [source EXCEPT ![k] = FALSE]
  /\ UNCHANGED <<phase, outcome, list, kept, count, walks, piece>>

\* `leave`: the child leaves the list, but not when the list keeps it.
Leaves(k) == IF outcome = "cancelled" /\ Has("stay") THEN UNCHANGED list ELSE list' = Remove(list, k)

Leave(k) ==
  /\ kid[k] = "leaving"
  /\ Leaves(k)
  /\ kid' = [kid EXCEPT ![k] = "left"]
  /\ UNCHANGED <<phase, outcome, kept, count, source, walks, piece>>

Drop(k) ==
  /\ kid[k] \in {"owned", "left"}
  /\ count' = [count EXCEPT ![k] = @ - 1]
  /\ kid' = [kid EXCEPT ![k] = IF count[k] = 1 THEN "dying" ELSE "unowned"]
  /\ UNCHANGED <<phase, outcome, list, kept, source, walks, piece>>

\* `tearDown`: a child that wasn't resolved leaves the list before its memory goes.
Free(k) ==
  /\ kid[k] = "dying"
  /\ IF source[k] /\ Has("leave") THEN Leaves(k) ELSE UNCHANGED list
  /\ kid' = [kid EXCEPT ![k] = "freed"]
  /\ source' = [source EXCEPT ![k] = FALSE]
  /\ UNCHANGED <<phase, outcome, kept, count, walks, piece>>

-----------------------------------------------------------------------------
(* The parent.                                                               *)

\* `collect` in the turn that decides: `keep` asks each child whether it exists.
Existing == SelectSeq(list, LAMBDA k : Keeps(k) \/ ~Has("ask"))

Cancel ==
  /\ phase = "pending" /\ "cancelled" \in Ends
  /\ phase' = "marking" /\ outcome' = "cancelled"
  /\ list' = Existing
  /\ kept' = IF Has("keep") THEN Range(Existing) ELSE {}
  \* One for the list, and one for the walk.
  /\ count' = [k \in Kids |-> count[k] + IF k \in Range(Existing) THEN (IF Has("keep") THEN 2 ELSE 1) ELSE 0]
  /\ walks' = [walks EXCEPT ![1] = Existing]
  /\ UNCHANGED <<source, kid, piece>>

\* Another walk joins: it takes all that the list keeps.
Join ==
  /\ phase = "marking" /\ walks[2] = <<>> /\ list # <<>>
  /\ walks' = [walks EXCEPT ![2] = list]
  /\ count' = [k \in Kids |-> count[k] + IF k \in Range(list) THEN 1 ELSE 0]
  /\ UNCHANGED <<phase, outcome, list, kept, source, kid, piece>>

\* A walk notifies a child (`arrive`), which forgets the parent, and then gives its count back.
Notify(w) ==
  LET k == Head(walks[w])
  IN /\ walks[w] # <<>>
     /\ walks' = [walks EXCEPT ![w] = Tail(@)]
     /\ source' = [source EXCEPT ![k] = FALSE]
     /\ count' = [count EXCEPT ![k] = @ - 1]
     /\ kid' = [kid EXCEPT ![k] = Fate(k, count[k] - 1)]
     /\ UNCHANGED <<phase, outcome, list, kept, piece>>

Complete ==
  /\ phase = "pending" /\ "completed" \in Ends
  /\ phase' = "delivering" /\ outcome' = "completed"
  /\ UNCHANGED <<list, kept, count, source, kid, walks, piece>>

Marked ==
  /\ phase = "marking" /\ walks[1] = <<>>
  /\ phase' = "delivering"
  /\ UNCHANGED <<outcome, list, kept, count, source, kid, walks, piece>>

\* `next`: after a cancellation the count of the list goes; after a completion the child is kept, if it exists, to forget
\* the parent.
Deliver ==
  LET k == Head(list)
      gives == k \in kept
      takes == outcome = "completed" /\ (Keeps(k) \/ ~Has("exists"))
  IN /\ phase = "delivering" /\ list # <<>> /\ piece = <<>>
     /\ list' = Tail(list) /\ kept' = kept \ {k}
     /\ count' = [count EXCEPT ![k] = IF gives THEN @ - 1 ELSE IF takes THEN @ + 1 ELSE @]
     /\ kid' = [kid EXCEPT ![k] = IF gives THEN Fate(k, count[k] - 1) ELSE @]
     /\ piece' = IF takes THEN <<k>> ELSE <<>>
     /\ UNCHANGED <<phase, outcome, source, walks>>

Forget ==
  LET k == piece[1]
  IN /\ piece # <<>>
     /\ piece' = <<>>
     /\ source' = [source EXCEPT ![k] = FALSE]
     /\ count' = [count EXCEPT ![k] = @ - 1]
     /\ kid' = [kid EXCEPT ![k] = Fate(k, count[k] - 1)]
     /\ UNCHANGED <<phase, outcome, list, kept, walks>>

Over ==
  /\ phase = "delivering" /\ list = <<>> /\ piece = <<>>
  /\ phase' = "resolved"
  /\ UNCHANGED <<outcome, list, kept, count, source, kid, walks, piece>>

-----------------------------------------------------------------------------

IsOver == phase = "resolved" /\ walks = [w \in {1, 2} |-> <<>>] /\ \A k \in Kids : kid[k] = "freed"

CNext ==
  \/ \E k \in Kids : Resolve(k) \/ Leave(k) \/ Drop(k) \/ Free(k)
  \/ Cancel \/ Join \/ (\E w \in {1, 2} : Notify(w)) \/ Complete \/ Marked \/ Deliver \/ Forget \/ Over
  \/ IsOver /\ UNCHANGED vars

\* What a turn of the parent's lock finds in the list has its memory.
ListIsAlive == \A k \in Range(list) : kid[k] # "freed"
\* What is kept exists: no count rises from zero.
KeptExist == \A k \in Kids : count[k] > 0 => kid[k] \notin {"dying", "freed"}
\* Each count belongs to the owner, the list, a walk or the deliverer.
CountsAreRight ==
  LET In(k, s) == Cardinality({ i \in 1..Len(s) : s[i] = k })
  IN \A k \in Kids :
       count[k] = (IF kid[k] \in {"owned", "leaving", "left"} THEN 1 ELSE 0) + (IF k \in kept THEN 1 ELSE 0)
                    + In(k, walks[1]) + In(k, walks[2]) + In(k, piece)
\* L7: in the end nothing is kept.
NothingIsKept ==
  /\ phase = "resolved" => list = <<>> /\ kept = {}
  /\ IsOver => \A k \in Kids : count[k] = 0 /\ ~source[k]
=============================================================================
