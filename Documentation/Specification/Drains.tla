------------------------------- MODULE Drains -------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* Draining as it is built: a scope with nested ones, threads that begin and *)
(* end activities in them, and one drain of the outermost.  What a thread    *)
(* does between two rounds through a lock is one step.  Names are those of   *)
(* `OpenWork.swift` and `Drain.swift`; O1 to O3 have switches here: what is  *)
(* in `Without` is built without that guard.                                 *)

EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Scopes,    \* numbers from 1, which is drained; 2 is inside of it
  Workers,   \* the threads that begin and end
  Programs,  \* the pairs of a tree, as the scope around each, and the calls of each worker
  Abandons,  \* whether the drain may be given up
  Without    \* the guards that are left out

VARIABLES
  tree,      \* the scope around each; 0 around the first
  prog,      \* the calls of each worker: <<name, scope>>
  worker,    \* each worker: the number of its call, and where it is in that
  open,      \* each scope: what its machine counts (M10)
  begun,     \* each scope: the number of what ever began in it
  inside,    \* each scope: the nested ones in its table
  table,     \* the scopes in whose tables the drain is
  waiting,   \* the number of drains that wait
  drain,     \* the drain, for the thread that has taken it out of a table
  checks,    \* the threads that have entered the drain somewhere, and look there once more
  place,     \* where it was entered last, and whether it was abandoned
  giver,     \* the thread that abandons
  stood      \* whether nothing was open at some moment since the drain began

vars == <<tree, prog, worker, open, begun, inside, table, waiting, drain, checks, place, giver, stood>>

Has(guard) == guard \notin Without
Call(w) == prog[w][worker[w].at]
IsQuiet(f) == open[f] = 0
NothingIsOpen == \A f \in Scopes : IsQuiet(f)
Created == UNION { { prog[w][i][2] : i \in { j \in DOMAIN prog[w] : prog[w][j][1] = "create" } } : w \in Workers }

Init ==
  \E p \in Programs :
    /\ tree = p[1] /\ prog = p[2]
    /\ worker = [w \in Workers |-> [at |-> 1, pc |-> "begins"]]
    /\ open = [f \in Scopes |-> 0] /\ begun = [f \in Scopes |-> 0]
    /\ inside = [f \in Scopes |-> { g \in Scopes : tree[g] = f /\ g \notin Created }]
    /\ table = {} /\ waiting = 0
    /\ drain = [pc |-> "idle", ahead |-> <<>>, looks |-> <<>>, last |-> <<>>, at |-> 0, before |-> 0]
    /\ checks = <<>>
    /\ place = [table |-> 0, isAbandoned |-> FALSE]
    /\ giver = [pc |-> "idle", at |-> 0]
    /\ stood = FALSE

-----------------------------------------------------------------------------
(* Activities.                                                               *)

Go(w, pc) == worker' = [worker EXCEPT ![w].pc = pc]
Returns(w) == worker' = [worker EXCEPT ![w] = [at |-> @.at + 1, pc |-> "begins"]]
SameScopes == UNCHANGED <<open, begun, inside>>
SameDrain == UNCHANGED <<table, waiting, drain, checks, place, giver>>

Count(f) == open' = [open EXCEPT ![f] = @ + 1] /\ UNCHANGED <<begun, inside>>
Enter(f) == begun' = [begun EXCEPT ![f] = @ + 1] /\ UNCHANGED <<open, inside>>

\* `Activity.init`: first the machine counts it, then the table has it (O1).
Begin(w) ==
  LET f == Call(w)[2]
  IN /\ Call(w)[1] = "begin"
     /\ \/ /\ worker[w].pc = "begins" /\ Go(w, "second")
           /\ IF Has("O1") THEN Count(f) ELSE Enter(f)
        \/ /\ worker[w].pc = "second" /\ Returns(w)
           /\ IF Has("O1") THEN Enter(f) ELSE Count(f)
     /\ SameDrain

\* `remember`: a nested scope is created.
Create(w) ==
  LET g == Call(w)[2]
      f == tree[g]
  IN /\ Call(w)[1] = "create" /\ worker[w].pc = "begins"
     /\ inside' = [inside EXCEPT ![f] = @ \union {g}]
     /\ begun' = [begun EXCEPT ![f] = @ + 1]
     /\ Returns(w) /\ UNCHANGED open /\ SameDrain

\* `Activity.end`: the event `returned`, and then `settle`.  "settle" is the fault that it looks for drains before.
End(w) ==
  LET f == Call(w)[2]
      Discount == open' = [open EXCEPT ![f] = @ - 1] /\ UNCHANGED <<begun, inside>>
  IN /\ Call(w)[1] = "end"
     /\ \/ /\ worker[w].pc = "begins"
           /\ IF Has("settle") THEN Discount /\ Go(w, "settle")
              ELSE SameScopes /\ Go(w, IF waiting > 0 /\ f \in table THEN "takes" ELSE "discounts")
           /\ SameDrain
        \/ /\ worker[w].pc = "discounts" /\ Discount /\ Returns(w) /\ SameDrain
        \/ /\ worker[w].pc = "settle"
           /\ IF waiting > 0 THEN Go(w, "finds") ELSE Returns(w)
           /\ SameScopes /\ SameDrain
        \/ /\ worker[w].pc = "finds"  \* `hasDrains`
           /\ IF f \in table THEN Go(w, "looks") ELSE Returns(w)
           /\ SameScopes /\ SameDrain
        \/ /\ worker[w].pc = "looks"  \* `isQuiet`
           /\ IF IsQuiet(f) THEN Go(w, "takes") ELSE Returns(w)
           /\ SameScopes /\ SameDrain
        \/ /\ worker[w].pc = "takes"  \* `takeDrains`: whoever removes the drain continues it
           /\ IF Has("settle") THEN Returns(w) /\ SameScopes ELSE Discount /\ Returns(w)
           /\ IF f \in table
                THEN /\ table' = table \ {f} /\ waiting' = waiting - 1
                     /\ drain' = [drain EXCEPT !.pc = "next"]
                ELSE UNCHANGED <<table, waiting, drain>>
           /\ UNCHANGED <<checks, place, giver>>

WorkerStep(w) ==
  /\ worker[w].at <= Len(prog[w])
  /\ Begin(w) \/ Create(w) \/ End(w)
  /\ UNCHANGED <<tree, prog>>

-----------------------------------------------------------------------------
(* The examination, which belongs to one thread at a time.                   *)

\* A table that hasn't changed is read in the same order again.
InOrder(set) ==
  CHOOSE s \in [1..Cardinality(set) -> set] : \A i, j \in DOMAIN s : s[i] = s[j] => i = j

\* Nothing was begun from before the check of an earlier visit until after that of this one (O2).  "around" is the fault
\* that only the time between the two checks counts.
HasStood(look, last) ==
  /\ look[1] = last[1]
  /\ Has("numbers") => IF Has("around") THEN last[2] = look[3] ELSE last[3] = look[2]
IsOver(looks, last) ==
  /\ Len(looks) = Len(last)
  /\ \A i \in DOMAIN looks : HasStood(looks[i], last[i])

\* `endRound`.  "twice" is the fault that one round is enough.
EndRound ==
  IF ~Has("twice") \/ IsOver(drain.looks, drain.last)
    THEN drain' = [drain EXCEPT !.pc = "over", !.ahead = <<>>, !.looks = <<>>, !.last = <<>>, !.at = 0]
    ELSE drain' = [drain EXCEPT !.last = drain.looks, !.looks = <<>>, !.ahead = <<1>>]

\* `Examination.step`.
Examine ==
  /\ \/ /\ drain.pc = "idle" /\ drain' = [drain EXCEPT !.pc = "next", !.ahead = <<1>>]
     \/ /\ drain.pc = "next"
        /\ IF drain.ahead = <<>> THEN EndRound
           ELSE LET f == drain.ahead[Len(drain.ahead)]
                IN drain' = [drain EXCEPT !.pc = "check", !.at = f, !.before = begun[f],
                                          !.ahead = SubSeq(@, 1, Len(@) - 1)]
     \/ /\ drain.pc = "check"
        /\ drain' = IF IsQuiet(drain.at) THEN [drain EXCEPT !.pc = "after"]
                    ELSE [drain EXCEPT !.pc = "place", !.ahead = Append(@, drain.at), !.last = <<>>]
     \/ /\ drain.pc = "after"
        /\ drain' = [drain EXCEPT !.pc = "inside", !.looks = Append(@, <<drain.at, drain.before, begun[drain.at]>>)]
     \/ /\ drain.pc = "inside"
        /\ drain' = [drain EXCEPT !.pc = "next", !.ahead = @ \o InOrder(inside[drain.at])]
  /\ UNCHANGED <<worker, table, waiting, checks, place, giver>> /\ SameScopes

\* `Drain.proceed`: it is entered, and after that somebody looks once more (O3).  "O3" is the fault that nobody does.
EnterTable ==
  /\ \/ /\ drain.pc = "place" /\ drain' = [drain EXCEPT !.pc = "count"]
        /\ place' = [place EXCEPT !.table = drain.at]
        /\ UNCHANGED <<table, waiting, checks>>
     \/ /\ drain.pc = "count" /\ drain' = [drain EXCEPT !.pc = "enter"]
        /\ waiting' = waiting + 1
        /\ UNCHANGED <<place, table, checks>>
     \/ /\ drain.pc = "enter" /\ drain' = [drain EXCEPT !.pc = "waits", !.at = 0, !.before = 0]
        /\ table' = table \union {drain.at}
        /\ checks' = IF Has("O3") THEN Append(checks, [pc |-> "marked?", at |-> drain.at, sees |-> FALSE]) ELSE checks
        /\ UNCHANGED <<place, waiting>>
  /\ UNCHANGED <<worker, giver>> /\ SameScopes

\* The thread that has entered it looks whether it was abandoned, or whether the scope is quiet by now.
Check(i) ==
  LET c == checks[i]
      Others == SubSeq(checks, 1, i - 1) \o SubSeq(checks, i + 1, Len(checks))
  IN /\ \/ /\ c.pc = "marked?"
           /\ checks' = [checks EXCEPT ![i] = [@ EXCEPT !.pc = "quiet?", !.sees = place.isAbandoned /\ Has("mark")]]
           /\ UNCHANGED <<table, waiting, drain>>
        \/ /\ c.pc = "quiet?"
           /\ checks' = IF c.sees \/ IsQuiet(c.at) THEN [checks EXCEPT ![i].pc = "leaves"] ELSE Others
           /\ UNCHANGED <<table, waiting, drain>>
        \/ /\ c.pc = "leaves" /\ checks' = Others
           /\ IF c.at \in table
                THEN /\ table' = table \ {c.at} /\ waiting' = waiting - 1
                     /\ drain' = [drain EXCEPT !.pc = IF c.sees THEN "abandoned" ELSE "next"]
                ELSE UNCHANGED <<table, waiting, drain>>
     /\ UNCHANGED <<worker, place, giver>> /\ SameScopes

\* `Drain.abandon`.
Abandon ==
  /\ Abandons
  /\ \/ /\ giver.pc = "idle" /\ drain.pc # "idle"
        /\ place' = [place EXCEPT !.isAbandoned = TRUE]
        /\ giver' = [pc |-> "removes", at |-> place.table]
        /\ UNCHANGED <<table, waiting, drain>>
     \/ /\ giver.pc = "removes" /\ giver' = [pc |-> "done", at |-> 0]
        /\ IF giver.at \in table
             THEN /\ table' = table \ {giver.at} /\ waiting' = waiting - 1
                  /\ drain' = [drain EXCEPT !.pc = "abandoned"]
             ELSE UNCHANGED <<table, waiting, drain>>
        /\ UNCHANGED place
  /\ UNCHANGED <<worker, checks>> /\ SameScopes

DrainStep == (Examine \/ EnterTable \/ (\E i \in DOMAIN checks : Check(i)) \/ Abandon) /\ UNCHANGED <<tree, prog>>

Step == ((\E w \in Workers : WorkerStep(w)) \/ DrainStep) /\ stood' = (drain'.pc # "idle" /\ (stood \/ NothingIsOpen'))

\* All calls have returned, and no thread has something to do.
IsDone ==
  /\ \A w \in Workers : worker[w].at > Len(prog[w])
  /\ drain.pc \in {"waits", "over", "abandoned"}
  /\ checks = <<>>
  /\ giver.pc # "removes"

DNext == Step \/ (IsDone /\ UNCHANGED vars)
DSpec == Init /\ [][DNext]_vars /\ WF_vars(Step)

-----------------------------------------------------------------------------
(* What holds.                                                               *)

\* L12: when a drain is over, there was a moment since its beginning at which nothing was open.
Drained == drain.pc = "over" => stood

\* O3: when everything has ended, nobody waits.
NobodyWaits == IsDone => drain.pc # "waits"

\* L7: a drain that is over or abandoned is in no table, and nobody looks for one.
NothingIsLeft == IsDone => table = {} /\ waiting = 0

\* One that was abandoned leaves, also if nothing ever ends.
AbandonedLeaves == giver.pc = "done" /\ checks = <<>> => drain.pc # "waits"

\* It is in one table at most, and whoever continues it has taken it out of that.
OneOwner == Cardinality(table) <= 1 /\ (table # {} => drain.pc = "waits")

\* With fairness the end comes.
DrainEnds == <>[](IsDone /\ drain.pc # "waits")

-----------------------------------------------------------------------------
(* Programs.                                                                 *)

b(f) == <<"begin", f>>
e(f) == <<"end", f>>
c(f) == <<"create", f>>
Trees == {<<0, 1, 1>>, <<0, 1, 2>>}

\* Work that goes from scope to scope and back, so that something is open all the time; and a scope that is created while
\* something is open around it.
Moves == {
  <<b(2), b(3), e(2), b(2), e(3), e(2)>>,
  <<b(3), b(2), e(3), b(3), e(2), e(3)>>,
  <<b(1), b(3), e(1), b(1), e(3), e(1)>>,
  <<b(3), b(2), e(3), b(3), e(2), b(2), e(3), e(2)>>,
  <<b(1), c(3), b(3), e(1), e(3)>>
}
MovingWork == { <<t, <<p, <<>> >> >> : t \in Trees, p \in Moves }

\* The same by two threads.
TwoMoves == { << <<0, 1, 2>>, << <<b(1), e(1)>>, <<b(3), b(2), e(3), e(2)>> >> >> }

\* Work that ends while the drain comes, or is given up.
EndingWork == { << <<0, 1, 1>>, <<p, <<b(1), e(1)>> >> >> : p \in { <<b(1), e(1)>>, <<b(2), e(2)>> } }
=============================================================================
