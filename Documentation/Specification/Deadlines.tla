----------------------------- MODULE Deadlines -----------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* Deadlines as they are built: a future below another one, whose           *)
(* cancellation reaches it; threads that set, move and unregister deadlines *)
(* of both; one heap of timers behind one timer of the system; and a clock. *)
(* A deadline is in force while it is in the heap. What is due is decided   *)
(* in the order of the heap, by the thread of that timer; a thread that     *)
(* sets a deadline which has passed decides what comes before that. Threads *)
(* of their own deliver. A timer may be late by any time. What a thread     *)
(* does between two rounds through a lock is one step. Names are those of   *)
(* `TimedNode.swift` and `Future+Deadlines.swift`.                          *)
(* What is in `Without` is built without that guard.                        *)

EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Clients,   \* the threads that call
  Programs,  \* the pairs of a future for each deadline, and the calls of each client
  Runners,   \* the threads on which what the timers have decided is delivered
  End,       \* the last instant
  ArmsAtOnce, \* whether the timer of the system is set in one step: then there are fewer states
  Without    \* the guards that are left out

Futures == {1, 2}     \* 2 is below 1
Far == End + 100      \* an instant that is too far to come
None == 0 - 1

VARIABLES
  of,        \* the future of each deadline
  prog,      \* the calls of each client: <<name, deadline or future, instant>>
  at,        \* each client: the number of its call
  th,        \* each thread, see `Idle`
  now,       \* the clock
  out,       \* each future: its outcome <<kind, deadline>>
  line,      \* each future: the blocks and decisions on its private queue
  listed,    \* the deadlines in the lists of their futures
  inst,      \* each deadline: `instant`
  place,     \* each deadline: "away" from the heap, in the "heap", or "over"
  deciding,  \* the deadline that is being decided
  armed,     \* the instant to which the timer of the system is to be set
  source,    \* the instant to which it is set
  log,       \* each future: what was true when a deadline decided it
  fired,     \* the deadlines that have left the heap because they were due
  freed,     \* the deadlines that `unregister` has kept from coming
  refused    \* the deadlines that couldn't be moved or unregistered any more

vars == <<of, prog, at, th, now, out, line, listed, inst, place, deciding, armed, source, log, fired, freed, refused>>

Has(guard) == guard \notin Without
Deadlines == DOMAIN of
Queues == { 10 + f : f \in Futures }
Handler == 20
Threads == Clients \union Queues \union Runners \union {Handler}
Pending(f) == out[f] = <<"pending", 0>>
Above(f) == IF f = 2 THEN {1, 2} ELSE {1}

\* Where a thread is, the deadline that it works at and that of its call, and what it has still to do for futures that it
\* has decided.
Idle == [pc |-> "idle", d |-> 0, own |-> 0, t |-> 0, saw |-> {}, then |-> "idle", work |-> <<>>]
To(x, y) == th' = [th EXCEPT ![x] = IF y.pc = "idle" THEN [Idle EXCEPT !.work = y.work] ELSE y]
Go(x, pc) == To(x, [th[x] EXCEPT !.pc = pc])

Init ==
  \E p \in Programs :
    /\ of = p[1] /\ prog = p[2]
    /\ at = [c \in Clients |-> 1]
    /\ th = [x \in Threads |-> Idle]
    /\ now = 0
    /\ out = [f \in Futures |-> <<"pending", 0>>] /\ line = [f \in Futures |-> <<>>]
    /\ listed = {} /\ inst = [d \in DOMAIN p[1] |-> None] /\ place = [d \in DOMAIN p[1] |-> "away"]
    /\ deciding = 0 /\ armed = None /\ source = None
    /\ log = [f \in Futures |-> [d |-> 0, at |-> 0, now |-> 0, earlier |-> {}]]
    /\ fired = {} /\ freed = {} /\ refused = {}

SameFuture == UNCHANGED <<out, line, listed, log>>
SameTimers == UNCHANGED <<inst, place, deciding, armed, fired>>
SameCalls == UNCHANGED <<freed, refused>>
IsQueued(d) == \E i \in DOMAIN line[of[d]] : line[of[d]][i] = <<"deadline", d>>
InForce == { e \in listed : Pending(of[e]) /\ (place[e] = "heap" \/ (e \in fired /\ ~IsQueued(e))) }
\* The call that sets a deadline has returned it.
IsKnown(d) == \E c \in Clients : \E i \in 1..at[c] - 1 :
  prog[c][i][1] = "set" /\ prog[c][i][2] = d /\ (i < at[c] - 1 \/ th[c] = Idle)
\* Decided, and some of the threads are notifying the futures below.
IsMarking(f, threads) ==
  \E x \in threads : \E i \in DOMAIN th[x].work : th[x].work[i][1] = "take" /\ th[x].work[i][2] = f
\* The deadline that has decided the future above, unless that had to be queued: then L14 promises less.
Deciders == { e \in Deadlines : of[e] = 1 /\ out[1] = <<"deadline", e>> /\ ~IsMarking(1, Queues) }
\* What a thread knows when it begins: the deadlines that have passed, of a future and of those above it.
Passed(f) == { <<e, inst[e]>> : e \in { e \in InForce \union Deciders : of[e] \in Above(f) /\ inst[e] <= now /\ IsKnown(e) } }
\* Those of them that still hold when the thread decides, and come before its instant.
Holding(saw, i) == { m \in saw : inst[m[1]] = m[2] /\ m[2] < i /\ m[1] \in InForce \union Deciders }

-----------------------------------------------------------------------------
(* Decisions.                                                                *)

\* What the deciding thread has to do, the next first: `Engine`.
Follows(f, r) == (IF f = 1 /\ r[1] # "complete" THEN <<<<"arrive", 2, r>>>> ELSE <<>>) \o <<<<"take", f, r>>>>

\* `FutureMachine.decide`.
Decide(x, y, f, r) ==
  IF ~Pending(f) THEN To(x, y) /\ UNCHANGED <<out, line>>
  ELSE IF line[f] # <<>> THEN line' = [line EXCEPT ![f] = Append(@, r)] /\ To(x, y) /\ UNCHANGED out
  ELSE out' = [out EXCEPT ![f] = r] /\ To(x, [y EXCEPT !.work = Follows(f, r) \o @]) /\ UNCHANGED line

Noted(y, d) == [d |-> d, at |-> inst[d], now |-> now, earlier |-> Holding(y.saw, inst[d])]

InOrder(set) == CHOOSE s \in [1..Cardinality(set) -> set] : \A i, j \in DOMAIN s : i < j => s[i] < s[j]

\* `Engine.step`: the cancellation goes on; then the nodes are taken, and their timers stopped.
Work(x) ==
  /\ th[x].work # <<>>
  /\ LET w == Head(th[x].work)
         y == [th[x] EXCEPT !.work = Tail(@)]
     IN \/ /\ w[1] = "arrive"
           /\ IF ~Pending(w[2]) THEN To(x, y) /\ UNCHANGED <<out, line>>
              ELSE IF line[w[2]] # <<>> THEN
                line' = [line EXCEPT ![w[2]] = Append(@, w[3])] /\ To(x, y) /\ UNCHANGED out
              ELSE
                /\ out' = [out EXCEPT ![w[2]] = w[3]] /\ UNCHANGED line
                /\ To(x, [y EXCEPT !.work = Append(@, <<"take", w[2], w[3]>>)])
           /\ UNCHANGED <<listed, log>> /\ SameTimers
        \/ /\ w[1] = "take"
           /\ LET s == InOrder({ d \in listed : of[d] = w[2] })
              IN To(x, [y EXCEPT !.work = [i \in DOMAIN s |-> <<"stop", s[i]>>] \o @])
           /\ listed' = { d \in listed : of[d] # w[2] }
           /\ UNCHANGED <<out, line, log>> /\ SameTimers
        \/ /\ w[1] = "stop"
           /\ To(x, y)
           /\ place' = [place EXCEPT ![w[2]] = "over"]
           /\ SameFuture /\ UNCHANGED <<inst, deciding, armed, fired>>
  /\ SameCalls /\ UNCHANGED <<of, prog, at, now, source>>

\* A turn of the private queue: a block ends, or a decision has its turn.
Turn(f) ==
  LET x == 10 + f
  IN /\ line[f] # <<>> /\ th[x].work = <<>>
     /\ LET r == Head(line[f])
        IN /\ line' = [line EXCEPT ![f] = Tail(@)]
           /\ IF r[1] # "block" /\ Pending(f)
                THEN out' = [out EXCEPT ![f] = r] /\ To(x, [Idle EXCEPT !.work = Follows(f, r)])
                ELSE UNCHANGED <<out, th>>
     /\ SameTimers /\ SameCalls /\ UNCHANGED <<of, prog, at, now, listed, log, source>>

-----------------------------------------------------------------------------
(* The timer of the system.                                                  *)

\* After a turn of the lock of the timers that has set `armed`.
Arms(x, y, then) ==
  /\ To(x, IF ArmsAtOnce THEN [y EXCEPT !.pc = then] ELSE [y EXCEPT !.pc = "arms", !.then = then])
  /\ source' = IF ArmsAtOnce THEN armed' ELSE source

\* `Timers.arm`: of calls that overtake each other the last one sets what is the earliest by then.
Arm(x) ==
  /\ \/ th[x].pc = "arms" /\ To(x, [th[x] EXCEPT !.pc = "schedules", !.t = armed]) /\ UNCHANGED source
     \/ th[x].pc = "schedules" /\ source' = th[x].t
        /\ Go(x, IF Has("arm") THEN "armed?" ELSE th[x].then)
     \/ th[x].pc = "armed?" /\ Go(x, IF armed = th[x].t THEN th[x].then ELSE "arms") /\ UNCHANGED source
  /\ SameFuture /\ SameTimers /\ SameCalls

\* The turn in which a deadline that isn't over is set.
Set(x, d, i) ==
  /\ inst' = [inst EXCEPT ![d] = i]
  /\ place' = [place EXCEPT ![d] = IF i = Far THEN "away" ELSE "heap"]
  /\ IF i = Far \/ (armed # None /\ armed <= i) THEN Go(x, "idle") /\ UNCHANGED <<armed, source>>
     ELSE armed' = i /\ Arms(x, th[x], "idle")
  /\ SameFuture /\ UNCHANGED <<deciding, fired>>

-----------------------------------------------------------------------------
(* What is due is decided: `Timers.fire(by:)`, until nothing is due by `t`.  *)

First(set) == CHOOSE d \in set : \A e \in set : inst[d] < inst[e] \/ (inst[d] = inst[e] /\ d <= e)

Pop(x, d) ==
  /\ place' = [place EXCEPT ![d] = "over"] /\ fired' = fired \union {d}
  /\ deciding' = IF Has("deciding") THEN d ELSE 0
  /\ To(x, [th[x] EXCEPT !.pc = "decide", !.d = d])
  /\ SameFuture /\ SameCalls /\ UNCHANGED <<inst, armed, source>>

Fires(x) ==
  LET y == th[x]
      Matters(d) == IF y.own = 0 THEN TRUE ELSE of[d] \in Above(of[y.own])
      due == { d \in Deadlines : place[d] = "heap" /\ inst[d] <= y.t /\ Matters(d) }
      next == { d \in due : d = First(due) \/ ~Has("order") }
      f == of[y.d]
      rest == { inst[d] : d \in { d \in Deadlines : place[d] = "heap" } }
      Helps == IF deciding = 0 THEN FALSE ELSE IF due # {} THEN TRUE ELSE Matters(deciding)
  IN \/ /\ y.pc = "next" /\ Helps
        /\ To(x, [y EXCEPT !.pc = "decide", !.d = deciding])
        /\ SameFuture /\ SameTimers /\ SameCalls /\ UNCHANGED source
     \/ /\ y.pc = "next" /\ deciding = 0
        /\ \E d \in next :
             IF Has("turn") THEN Pop(x, d)
             ELSE To(x, [y EXCEPT !.pc = "pop", !.d = d]) /\ SameFuture /\ SameTimers /\ SameCalls /\ UNCHANGED source
     \/ /\ y.pc = "pop"  \* the fault that it is taken in another turn than it was found due in
        /\ IF place[y.d] = "heap" THEN Pop(x, y.d)
           ELSE Go(x, "next") /\ SameFuture /\ SameTimers /\ SameCalls /\ UNCHANGED source
     \/ /\ y.pc = "next" /\ ~Helps /\ due = {}
        /\ IF x = Handler
             THEN /\ armed' = IF rest = {} \/ ~Has("rearm") THEN None ELSE CHOOSE i \in rest : \A j \in rest : i <= j
                  /\ Arms(x, y, "idle") /\ UNCHANGED <<inst, place, deciding, fired>>
             ELSE Go(x, "decides") /\ SameTimers /\ UNCHANGED source
        /\ SameFuture /\ SameCalls
     \/ /\ y.pc = "decide"  \* `FutureMachine.deadlineCame`
        /\ IF Pending(f)
             THEN /\ log' = IF line[f] = <<>> THEN [log EXCEPT ![f] = Noted(y, y.d)] ELSE log
                  /\ Decide(x, [y EXCEPT !.pc = "marks"], f, <<"deadline", y.d>>)
             ELSE \* The walk of another thread is on its way.
               /\ To(x, [y EXCEPT !.pc = "marks", !.work = IF IsMarking(f, Threads) /\ f = 1 /\ Has("join")
                                                             THEN <<<<"arrive", 2, out[1]>>>> ELSE <<>>])
               /\ UNCHANGED <<out, line, log>>
        /\ SameTimers /\ SameCalls /\ UNCHANGED <<listed, source>>
     \* `MarkedTree`: what is left is delivered on a thread of its own.
     \/ /\ y.pc = "marks" /\ (IF y.work = <<>> THEN TRUE ELSE Head(y.work)[1] # "arrive")
        /\ IF y.work = <<>> THEN Go(x, "finish")
           ELSE \E r \in { r \in Runners : th[r] = Idle } :
             /\ \A q \in Runners : th[q] = Idle => r <= q
             /\ th' = [th EXCEPT ![r] = [Idle EXCEPT !.work = y.work], ![x] = [y EXCEPT !.work = <<>>, !.pc = "finish"]]
        /\ SameFuture /\ SameTimers /\ SameCalls /\ UNCHANGED source
     \/ /\ y.pc = "finish"
        /\ deciding' = IF deciding = y.d /\ Has("finish") THEN 0 ELSE deciding
        \* One that has only helped is back in its call.
        /\ Go(x, IF y.then = "refused" THEN "refused" ELSE "next")
        /\ SameFuture /\ SameCalls /\ UNCHANGED <<inst, place, armed, fired, source>>

\* The timer of the system fires.
Fire ==
  /\ source # None /\ source <= now /\ th[Handler] = Idle
  /\ source' = None
  /\ To(Handler, [Idle EXCEPT !.pc = "next", !.t = now, !.saw = Passed(2)])
  /\ SameFuture /\ SameTimers /\ SameCalls

-----------------------------------------------------------------------------
(* Calls.                                                                    *)

Begin(c) ==
  LET call == prog[c][at[c]]
      d == call[2]
      y == [Idle EXCEPT !.own = d, !.t = call[3]]
  IN /\ th[c] = Idle /\ at[c] <= Len(prog[c])
     /\ call[1] \in {"move", "unregister"} => IsKnown(d)
     /\ at' = [at EXCEPT ![c] = @ + 1]
     /\ CASE call[1] = "set" ->
               /\ To(c, IF ~Pending(of[d]) THEN Idle
                        ELSE IF call[3] > now THEN [y EXCEPT !.pc = "adds"]
                        \* It has passed: an earlier one may be due whose timer is late.
                        ELSE [y EXCEPT !.pc = IF Has("earlier") THEN "next" ELSE "decides", !.saw = Passed(of[d]),
                                       \* A cancellation that is on its way is followed first.
                                       !.work = IF of[d] = 2 /\ IsMarking(1, Threads) /\ Has("join")
                                                  THEN <<<<"arrive", 2, out[1]>>>> ELSE <<>>])
               /\ SameFuture
          [] call[1] = "move" -> To(c, IF Pending(of[d]) THEN [y EXCEPT !.pc = "moves"] ELSE Idle) /\ SameFuture
          [] call[1] = "unregister" -> To(c, [y EXCEPT !.pc = "stops"]) /\ SameFuture
          [] call[1] = "block" ->
               /\ line' = [line EXCEPT ![d] = Append(@, <<"block", 0>>)]
               /\ UNCHANGED <<out, listed, log, th>>
          [] call[1] \in {"complete", "cancel"} -> Decide(c, Idle, d, <<call[1], 0>>) /\ UNCHANGED <<listed, log>>
     /\ SameTimers /\ SameCalls /\ UNCHANGED source

\* What is left of a call.
Continue(c) ==
  LET y == th[c]
      d == y.own
      \* It is over; if another thread is just about to decide because of it, this one does so as well.
      Refuse == IF deciding = d /\ Has("help") THEN To(c, [y EXCEPT !.pc = "decide", !.d = d, !.then = "refused"])
                ELSE Go(c, "refused")
  IN \/ /\ y.pc = "adds"
        /\ IF Pending(of[d]) THEN listed' = listed \union {d} /\ Go(c, "sets") ELSE Go(c, "idle") /\ UNCHANGED listed
        /\ SameTimers /\ SameCalls /\ UNCHANGED <<out, line, log, source>>
     \/ /\ y.pc = "sets"
        /\ IF place[d] = "over" /\ Has("over")
             THEN Go(c, "idle") /\ SameFuture /\ SameTimers /\ UNCHANGED source
             ELSE Set(c, d, y.t)
        /\ SameCalls
     \/ /\ y.pc = "moves"
        /\ IF place[d] # "over" THEN Set(c, d, y.t)
           ELSE /\ inst' = IF Has("moved") THEN inst ELSE [inst EXCEPT ![d] = y.t]
                /\ Refuse /\ SameFuture /\ UNCHANGED <<place, deciding, armed, fired, source>>
        /\ SameCalls
     \/ /\ y.pc = "stops"
        /\ place' = [place EXCEPT ![d] = "over"]
        /\ IF place[d] # "over" \/ ~Has("once") THEN Go(c, "removes") ELSE Refuse
        /\ SameFuture /\ SameCalls /\ UNCHANGED <<inst, deciding, armed, fired, source>>
     \/ /\ y.pc = "removes"
        /\ IF Pending(of[d]) THEN listed' = listed \ {d} /\ freed' = freed \union {d} ELSE UNCHANGED <<listed, freed>>
        /\ Go(c, "idle")
        /\ SameTimers /\ UNCHANGED <<out, line, log, refused, source>>
     \/ /\ y.pc = "refused"
        /\ refused' = refused \union {d} /\ Go(c, "idle")
        /\ SameFuture /\ SameTimers /\ UNCHANGED <<freed, source>>
     \/ /\ y.pc = "decides"  \* it had passed when it was set
        /\ log' = IF ~Pending(of[d]) THEN log ELSE
                    [log EXCEPT ![of[d]] = [d |-> d, at |-> y.t, now |-> now, earlier |-> Holding(y.saw, y.t)]]
        /\ inst' = [inst EXCEPT ![d] = y.t] /\ place' = [place EXCEPT ![d] = "over"]
        /\ Decide(c, Idle, of[d], <<"deadline", d>>)
        /\ SameCalls /\ UNCHANGED <<listed, deciding, armed, fired, source>>

ThreadStep(x) ==
  IF th[x].work # <<>> /\ (th[x].pc # "marks" \/ Head(th[x].work)[1] = "arrive") THEN Work(x)
  ELSE (Arm(x) \/ Fires(x) \/ Continue(x)) /\ UNCHANGED <<of, prog, at, now>>

Tick == now < End /\ now' = now + 1 /\ UNCHANGED <<of, prog, at, th, source>> /\ SameFuture /\ SameTimers /\ SameCalls

Step ==
  \/ \E c \in Clients : Begin(c) /\ UNCHANGED <<of, prog, now>>
  \/ \E x \in Threads : ThreadStep(x)
  \/ \E f \in Futures : Turn(f)
  \/ Fire /\ UNCHANGED <<of, prog, at, now>>
  \/ Tick

\* No thread has something to do, but for what the clock may bring.
IsQuiet == /\ \A x \in Threads : th[x] = Idle
           /\ \A f \in Futures : line[f] = <<>>
           /\ ~(source # None /\ source <= now)
HaveReturned == IsQuiet /\ \A c \in Clients : at[c] > Len(prog[c])
IsDone == HaveReturned /\ now = End

DNext == Step \/ (IsDone /\ UNCHANGED vars)
DSpec == Init /\ [][DNext]_vars /\ WF_vars(Step)

-----------------------------------------------------------------------------
(* What holds.                                                               *)

\* L14: a deadline cancels only at its instant or later.
NeverEarly == \A f \in Futures : log[f].d # 0 => log[f].at <= log[f].now

\* A move has taken effect, or it hasn't: a future isn't cancelled by a deadline that was moved away.
MovedHolds == \A f \in Futures : out[f][1] = "deadline" /\ log[f].d = out[f][2] => log[f].at = inst[out[f][2]]

\* A deadline whose `unregister` has returned true cancels nothing.
FreedNeverComes == \A f \in Futures : out[f][1] = "deadline" => out[f][2] \notin freed

\* After one that has returned false the future is decided, or its decision is queued, unless the deadline was unregistered.
RefusedIsOver == \A d \in refused : d \in freed \/ ~Pending(of[d]) \/ IsQueued(d)
                   \/ \E c \in Clients : th[c].own = d /\ th[c].pc = "removes"

\* L14: when a deadline decides, no earlier one of this future or of the one above had passed and is still in force, or has
\* decided the one above.
EarliestIsReason == \A f \in Futures : out[f] = <<"deadline", log[f].d>> => log[f].earlier = {}

\* When nothing happens, the timer of the system fires in time for each deadline in the heap.
TimersAreSet == IsQuiet => \A d \in Deadlines : place[d] = "heap" => source # None /\ source <= inst[d]

\* In the end each deadline in force is still to come.
AllHaveCome == IsDone => \A d \in Deadlines : place[d] = "heap" => inst[d] > End

\* L7: the heap keeps nothing of a deadline that is over.
NothingIsKept == HaveReturned => \A d \in Deadlines : d \in freed \/ ~Pending(of[d]) => place[d] # "heap"

\* With fairness the end comes.
DeadlinesEnd == <>[]IsDone

-----------------------------------------------------------------------------
(* Programs.                                                                 *)

s(d, i) == <<"set", d, i>>
m(d, i) == <<"move", d, i>>
u(d) == <<"unregister", d, 0>>
cancel(f) == <<"cancel", f, 0>>
complete(f) == <<"complete", f, 0>>
block(f) == <<"block", f, 0>>

\* One deadline, which is moved by two threads, unregistered, or beaten by an outcome.
Moves == { << <<1>>, << <<s(1, 1), m(1, i)>>, p >> >> :
           i \in {2, Far},
           p \in { <<m(1, 2), m(1, 1)>>, <<u(1)>>, <<complete(1)>>, <<block(1), m(1, 2)>>, <<m(1, Far), m(1, 2)>> } }

\* Two deadlines of one future; and two that are set at the same time.
Pairs == { << <<1, 1>>, << <<s(1, i), s(2, 2)>>, p >> >> : i \in {1, 2}, p \in { <<u(1)>>, <<m(1, 1)>>, <<cancel(1)>> } }
         \union { << <<1, 1>>, << <<s(1, 1), s(2, 1)>>, <<m(1, 2)>> >> >> }
Settings == { << <<1, 1>>, << <<s(1, 2)>>, <<s(2, 1)>> >> >> }

\* One of a future and one of the future above; and two above.
Families == { << <<1, 2>>, << <<s(1, i), s(2, 2)>>, p >> >> :
              i \in {1, 2}, p \in { <<u(1)>>, <<m(1, 1)>>, <<block(1)>>, <<block(2)>> } }
\* Each is set by another thread, which may decide at once: its cancellation is on its way when the other one comes.
\* And one above that is moved behind that below.
Cascades == { << <<1, 2>>, << <<s(1, i)>>, <<s(2, 2)>> >> >> : i \in {1, 2} }
            \union { << <<1, 2>>, << <<s(1, 1), s(2, 1)>>, <<m(1, 2)>> >> >> }
Blocks == { << <<1, 2>>, << <<s(1, 1), s(2, 2)>>, <<block(1)>> >> >> }
Elders == { << <<1, 1, 2>>, << <<s(1, 1), s(2, 1), s(3, 2), c>>, <<>> >> >> : c \in { u(1), m(1, 2) } }
=============================================================================
