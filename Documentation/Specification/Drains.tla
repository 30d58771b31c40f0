------------------------------- MODULE Drains -------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* The count by which scopes are drained: a scope with nested ones, threads  *)
(* that begin and end work in them, decide them and add handlers late, and   *)
(* one drain of the outermost.  A step is one turn of one lock.  Names are   *)
(* those of `FutureMachine+Ending.swift` and `OpenWork.swift`; what is in    *)
(* `Without` is built without that guard.                                    *)

EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Scopes,    \* numbers from 1, the outermost, which is drained
  Workers,   \* the threads
  Programs,  \* the pairs of a tree, as the scope around each, and the calls of each worker
  Abandons,  \* whether the drain may be given up
  Without    \* the guards that are left out

VARIABLES
  tree,      \* the scope around each; 0 around the first
  prog,      \* the calls of each worker: <<name, scope>>
  todo,      \* each worker: what it still has to do, each in one turn of a lock
  own,       \* each scope: the number of its own pieces
  inside,    \* each scope: the number of nested ones that are open in it
  isOpen,    \* each scope: whether it is open in the one around it
  phase,     \* each scope: "pending", "delivering" or "resolved"; each has a handler
  drain      \* "idle", "enters", "waits", "over" or "abandoned"

vars == <<tree, prog, todo, own, inside, isOpen, phase, drain>>

Has(guard) == guard \notin Without
IsNested(f) == tree[f] # 0
IsClosed(f) == IsNested(f) /\ ~isOpen[f]

\* What a drain waits for; "phase" is the fault that the number alone counts.
Quiet(f, o, i, p) == o = 0 /\ i = 0 /\ (Has("phase") => p # "delivering")
IsQuiet(f) == Quiet(f, own[f], inside[f], phase[f])

RECURSIVE Around(_)
Around(f) == IF tree[f] = 0 THEN {} ELSE {tree[f]} \union Around(tree[f])

Init ==
  \E p \in Programs :
    /\ tree = p[1] /\ prog = p[2]
    /\ todo = [w \in Workers |-> <<>>]
    /\ own = [f \in Scopes |-> 0] /\ inside = [f \in Scopes |-> 0]
    /\ isOpen = [f \in Scopes |-> FALSE]
    /\ phase = [f \in Scopes |-> "pending"]
    /\ drain = "idle"

-----------------------------------------------------------------------------
(* Turns of a lock.                                                          *)

Then(w, steps) == todo' = [todo EXCEPT ![w] = steps \o Tail(@)]
Counted(number, f, piece, name, by) == IF piece = name THEN [number EXCEPT ![f] = @ + by] ELSE number
Discounted(number, f, piece, name) == IF piece = name /\ number[f] > 0 THEN [number EXCEPT ![f] = @ - 1] ELSE number

\* `open`: without the guard "first" a scope counts before the one around is open.
Open(w, f, piece) ==
  /\ IF IsClosed(f)
       THEN /\ LET first == <<"open", tree[f], "inside">>
                   second == <<"set", f, piece>>
               IN Then(w, IF Has("first") THEN <<first, second>> ELSE <<second, first>>)
            /\ UNCHANGED <<own, inside>>
       ELSE /\ own' = Counted(own, f, piece, "own", 1) /\ inside' = Counted(inside, f, piece, "inside", 1)
            /\ Then(w, <<>>)
  /\ UNCHANGED <<isOpen, phase, drain>>

\* `openInside`: "pair" is the fault that who was overtaken leaves its opening.
Set(w, f, piece) ==
  /\ own' = Counted(own, f, piece, "own", 1) /\ inside' = Counted(inside, f, piece, "inside", 1)
  /\ Then(w, IF isOpen[f] /\ Has("pair") THEN <<<<"close", tree[f], "inside">>>> ELSE <<>>)
  /\ isOpen' = [isOpen EXCEPT ![f] = TRUE]
  /\ UNCHANGED <<phase, drain>>

\* `takeEnding`, in the turn that leaves these numbers.  "clear" is the fault that the scope goes on being taken for open,
\* and "taken" that a nested scope which closes wakes no drain.
Ends(w, f, piece, o, i, p) ==
  LET isQuiet == Quiet(f, o[f], i[f], p[f])
      closes == isQuiet /\ isOpen[f]
  IN /\ own' = o /\ inside' = i /\ phase' = p
     /\ isOpen' = IF closes /\ Has("clear") THEN [isOpen EXCEPT ![f] = FALSE] ELSE isOpen
     /\ Then(w, IF closes THEN <<<<"close", tree[f], "inside">>>> ELSE <<>>)
     /\ drain' = IF isQuiet /\ f = 1 /\ drain = "waits" /\ (Has("taken") \/ piece = "own") THEN "over" ELSE drain

\* `ended`: "last" is the fault that the scope around is closed before.
Close(w, f, piece) ==
  IF ~Has("last") /\ piece = "own" /\ own[f] = 1 /\ isOpen[f] /\ inside[f] = 0 /\ phase[f] # "delivering"
    THEN /\ isOpen' = [isOpen EXCEPT ![f] = FALSE]
         /\ Then(w, <<<<"close", tree[f], "inside">>, <<"close", f, "own">>>>)
         /\ UNCHANGED <<own, inside, phase, drain>>
    ELSE Ends(w, f, piece, Discounted(own, f, piece, "own"), Discounted(inside, f, piece, "inside"), phase)

\* `opened`: what may begin to run handlers has the scope open around; "decided" and "late" are the faults that it hasn't.
Opened(w, step) == Then(w, <<<<"open", step[2], "own">>, step, <<"close", step[2], "own">>>>)

Decide(w, f) ==
  /\ IF phase[f] # "pending" THEN Then(w, <<>>) /\ UNCHANGED phase
     ELSE IF IsClosed(f) /\ Has("decided") THEN Opened(w, <<"decide", f>>) /\ UNCHANGED phase
     ELSE /\ phase' = [phase EXCEPT ![f] = "delivering"]
          \* What opened it lets go of it before the delivery.
          /\ todo' = [todo EXCEPT ![w] = Tail(@) \o <<<<"deliver", f>>>>]
  /\ UNCHANGED <<own, inside, isOpen, drain>>

Deliver(w, f) == Ends(w, f, "own", own, inside, [phase EXCEPT ![f] = "resolved"])

Late(w, f) ==
  /\ IF phase[f] = "pending" THEN Then(w, <<>>) /\ UNCHANGED own
     ELSE IF IsClosed(f) /\ Has("late") THEN Opened(w, <<"late", f>>) /\ UNCHANGED own
     ELSE /\ own' = [own EXCEPT ![f] = @ + 1]
          /\ todo' = [todo EXCEPT ![w] = Tail(@) \o <<<<"close", f, "own">>>>]
  /\ UNCHANGED <<inside, isOpen, phase, drain>>

WorkerStep(w) ==
  \/ /\ todo[w] = <<>> /\ prog[w] # <<>>
     /\ todo' = [todo EXCEPT ![w] = <<Head(prog[w])>>] /\ prog' = [prog EXCEPT ![w] = Tail(@)]
     /\ UNCHANGED <<own, inside, isOpen, phase, drain>>
  \/ /\ todo[w] # <<>> /\ UNCHANGED prog
     /\ LET step == Head(todo[w])
        IN \/ step[1] = "open" /\ Open(w, step[2], step[3])
           \/ step[1] = "set" /\ Set(w, step[2], step[3])
           \/ step[1] = "close" /\ Close(w, step[2], step[3])
           \/ step[1] = "decide" /\ Decide(w, step[2])
           \/ step[1] = "deliver" /\ Deliver(w, step[2])
           \/ step[1] = "late" /\ Late(w, step[2])

\* `awaitEnd`: "turn" is the fault that it asks in one turn of the lock, and is entered in the next.
DrainStep ==
  /\ \/ drain = "idle" /\ drain' = IF IsQuiet(1) THEN "over" ELSE IF Has("turn") THEN "waits" ELSE "enters"
     \/ drain = "enters" /\ drain' = "waits"
     \/ Abandons /\ drain = "waits" /\ drain' = "abandoned"
  /\ UNCHANGED <<prog, todo, own, inside, isOpen, phase>>

Step == ((\E w \in Workers : WorkerStep(w)) \/ DrainStep) /\ UNCHANGED tree

IsDone == drain \notin {"idle", "enters"} /\ \A w \in Workers : prog[w] = <<>> /\ todo[w] = <<>>

DNext == Step \/ (IsDone /\ UNCHANGED vars)
DSpec == Init /\ [][DNext]_vars /\ WF_vars(Step)

-----------------------------------------------------------------------------
(* What holds.                                                               *)

\* O1, L12: nothing is open inside of a scope that a drain takes for empty.
NothingOpenInside ==
  \A f \in Scopes : own[f] > 0 \/ phase[f] = "delivering" => \A g \in Around(f) : ~IsQuiet(g)

\* O2: the scope around counts each that is open in it, and besides only what some thread is about to set or to close.
OpeningsArePaired ==
  \A f \in Scopes : inside[f] >= Cardinality({ g \in Scopes : tree[g] = f /\ isOpen[g] })

\* In the end each opening was closed, and nobody waits.
AllAreClosed == IsDone => \A f \in Scopes : own[f] = 0 /\ inside[f] = 0 /\ ~isOpen[f]
NobodyWaits == IsDone => drain # "waits"

\* With fairness the end comes.
DrainEnds == <>[](IsDone /\ drain # "waits")

-----------------------------------------------------------------------------
(* Programs.                                                                 *)

b(f) == <<"open", f, "own">>
e(f) == <<"close", f, "own">>
d(f) == <<"decide", f>>
l(f) == <<"late", f>>
Line == <<0, 1, 2>>
Fork == <<0, 1, 1>>

\* Two threads that begin and end work at every depth of a line or a fork, at the same or at two places, and move it.
Pieces(f) == { <<b(f), e(f)>>, <<b(f), e(f), b(f), e(f)>> }
Moving == { <<b(3), b(2), e(3), e(2)>>, <<b(2), b(3), e(2), e(3)>>, <<b(1), b(3), e(1), e(3)>> }
MovingWork ==
  { <<t, <<p, q>> >> : t \in {Line, Fork}, p \in Moving \union Pieces(3), q \in Moving \union Pieces(2) \union Pieces(3) }

\* The same with decisions, and handlers that come late.
Decided == { <<t, <<p, q>> >> : t \in {Line, Fork},
  p \in { <<d(3)>>, <<d(2), d(3)>>, <<d(3), l(3)>>, <<d(1), d(3)>> },
  q \in { <<b(3), e(3)>>, <<d(3)>>, <<l(3)>>, <<b(2), l(3), e(2)>>, <<l(3), b(2), e(2)>> } }
=============================================================================
