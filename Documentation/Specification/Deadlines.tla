----------------------------- MODULE Deadlines -----------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* Deadlines as they are built: a future below another one, whose            *)
(* cancellation reaches it; threads that set, move and unregister deadlines  *)
(* of both; one heap of timers behind one timer of the system; and a clock.  *)
(* The thread of that timer decides what is due, in the order of the heap,   *)
(* and marks what is below; threads of their own deliver.  A timer may be    *)
(* late by any time.  What a thread does between two rounds through a lock   *)
(* is one step.  Names are those of `DeadlineTimer.swift`,    *)
(* `Future+Deadlines.swift` and `TimedNode.swift`.  What is in `Without` is  *)
(* built without that guard.                                                 *)

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
  claim,     \* each deadline: the claim of its node
  listed,    \* the deadlines in the lists of their futures
  inst,      \* each deadline: `instant`
  timer,     \* each deadline: `timerInstant`
  being,     \* the deadlines that some thread is setting
  heap,      \* each deadline: its instant in the heap
  stopped,   \* the deadlines whose timers are stopped
  armed,     \* the instant to which the timer of the system is to be set
  source,    \* the instant to which it is set
  handler,   \* the handler of the timer of the system: what it has to fire, for which instants, and what had passed
  log,       \* each future: what was true when a deadline decided it, or queued its decision
  freed      \* the deadlines that `unregister` has kept from coming

vars == <<of, prog, at, th, now, out, line, claim, listed, inst, timer, being, heap, stopped, armed, source, handler,
          log, freed>>

Has(guard) == guard \notin Without
Deadlines == DOMAIN of
Queues == { 10 + f : f \in Futures }
Handler == 20
Threads == Clients \union Queues \union Runners \union {Handler}
Pending(f) == out[f] = <<"pending", 0>>
Above(f) == IF f = 2 THEN {1, 2} ELSE {1}

\* Where a thread is, what it works at, and what it has still to do for futures that it has decided.
Idle == [pc |-> "idle", d |-> 0, t |-> 0, first |-> 0, due |-> 0, own |-> 0, fired |-> 0, saw |-> {}, then |-> "idle", work |-> <<>>]
\* Nothing of a step that is over: so there are fewer states.
Tidy(y) == IF y.pc = "idle" THEN [Idle EXCEPT !.work = y.work]
           ELSE IF y.pc = "next" THEN [y EXCEPT !.t = 0, !.due = 0, !.then = IF y.own = "idle" THEN "idle" ELSE @]
           ELSE y
To(x, y) == th' = [th EXCEPT ![x] = Tidy(y)]
Go(x, pc) == To(x, [th[x] EXCEPT !.pc = pc])

Init ==
  \E p \in Programs :
    /\ of = p[1] /\ prog = p[2]
    /\ at = [c \in Clients |-> 1]
    /\ th = [x \in Threads |-> Idle]
    /\ now = 0
    /\ out = [f \in Futures |-> <<"pending", 0>>] /\ line = [f \in Futures |-> <<>>]
    /\ claim = [d \in DOMAIN p[1] |-> "new"] /\ listed = {}
    /\ inst = [d \in DOMAIN p[1] |-> None] /\ timer = [d \in DOMAIN p[1] |-> None] /\ being = {}
    /\ heap = [d \in DOMAIN p[1] |-> None] /\ stopped = {}
    /\ armed = None /\ source = None /\ handler = <<>>
    /\ log = [f \in Futures |-> [d |-> 0, at |-> 0, now |-> 0, earlier |-> {}]]
    /\ freed = {}

SameFuture == UNCHANGED <<out, line, claim, listed, inst, timer, being, log, freed>>
SameTimers == UNCHANGED <<heap, stopped, armed>>
Timely(d) == timer[d] # None /\ timer[d] <= inst[d]
InForce == { e \in listed : claim[e] = "waiting" /\ Pending(of[e]) }
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
\* The earliest of some deadlines; of several the one that was set first.
Earliest(set) == IF set = {} THEN 0
                 ELSE CHOOSE d \in set : \A e \in set : inst[d] < inst[e] \/ (inst[d] = inst[e] /\ d <= e)

-----------------------------------------------------------------------------
(* Decisions.                                                                *)

\* What the deciding thread has to do, the next first: `Engine`.
Follows(f, r) == (IF f = 1 /\ r[1] # "complete" THEN <<<<"arrive", 2, r>>>> ELSE <<>>) \o <<<<"take", f, r>>>>

\* `FutureMachine.decide`; `before` is what the thread does first.
Decide(x, y, f, r, before) ==
  IF ~Pending(f) THEN To(x, [y EXCEPT !.work = before \o @]) /\ UNCHANGED <<out, line>>
  ELSE IF line[f] # <<>> THEN
    /\ line' = [line EXCEPT ![f] = Append(@, r)]
    /\ To(x, [y EXCEPT !.work = before \o @]) /\ UNCHANGED out
  ELSE
    /\ out' = [out EXCEPT ![f] = r]
    /\ To(x, [y EXCEPT !.work = before \o Follows(f, r) \o @]) /\ UNCHANGED line

InOrder(set) == CHOOSE s \in [1..Cardinality(set) -> set] : \A i, j \in DOMAIN s : i < j => s[i] < s[j]

\* `Engine.step`: the cancellation goes on; the nodes are taken, claimed, and their timers stopped.
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
           /\ UNCHANGED <<claim, listed, inst, timer, being, log, freed>> /\ SameTimers
        \/ /\ w[1] = "take"  \* `takeRemains`
           /\ LET s == InOrder({ d \in listed : of[d] = w[2] })
              IN To(x, [y EXCEPT !.work = [i \in DOMAIN s |-> <<"pass", s[i]>>] \o @])
           /\ listed' = { d \in listed : of[d] # w[2] }
           /\ UNCHANGED <<out, line, claim, inst, timer, being, log, freed>> /\ SameTimers
        \/ /\ w[1] = "pass"  \* `HandlerNode.run`
           /\ IF claim[w[2]] = "waiting"
                THEN /\ claim' = [claim EXCEPT ![w[2]] = "over"]
                     /\ To(x, [y EXCEPT !.work = <<<<"stop", w[2]>>>> \o @])
                ELSE To(x, y) /\ UNCHANGED claim
           /\ UNCHANGED <<out, line, listed, inst, timer, being, log, freed>> /\ SameTimers
        \/ /\ w[1] = "stop"  \* `TimedNode.stop`
           /\ To(x, y)
           /\ stopped' = stopped \union {w[2]} /\ heap' = [heap EXCEPT ![w[2]] = None]
           /\ SameFuture /\ UNCHANGED armed
  /\ UNCHANGED <<of, prog, at, now, source, handler>>

\* A turn of the private queue: a block ends, or a decision has its turn.
Turn(f) ==
  LET x == 10 + f
  IN /\ line[f] # <<>> /\ th[x].work = <<>>
     /\ LET r == Head(line[f])
        IN /\ line' = [line EXCEPT ![f] = Tail(@)]
           /\ IF r[1] # "block" /\ Pending(f)
                THEN out' = [out EXCEPT ![f] = r] /\ To(x, [Idle EXCEPT !.work = Follows(f, r)])
                ELSE UNCHANGED <<out, th>>
     /\ UNCHANGED <<of, prog, at, now, claim, listed, inst, timer, being, log, freed, source, handler>> /\ SameTimers

-----------------------------------------------------------------------------
(* Setting a timer.                                                          *)

\* `Timers.set`: unless it is stopped; the timer of the system is set if this is the earliest.
Set(x, d, i, then) ==
  /\ IF d \in stopped /\ Has("stopped") THEN Go(x, then) /\ UNCHANGED <<heap, armed>>
     ELSE IF i = Far THEN heap' = [heap EXCEPT ![d] = None] /\ Go(x, then) /\ UNCHANGED armed
     ELSE
       /\ heap' = [heap EXCEPT ![d] = i]
       /\ IF armed # None /\ armed <= i THEN Go(x, then) /\ UNCHANGED armed
          ELSE armed' = i /\ To(x, [th[x] EXCEPT !.pc = IF ArmsAtOnce THEN then ELSE "arms", !.then = then])
  /\ source' = IF ArmsAtOnce THEN armed' ELSE source
  /\ SameFuture /\ UNCHANGED <<stopped, handler>>

\* `Timers.arm`: of calls that overtake each other the last one sets what is the earliest by then.
Arm(x) ==
  \/ th[x].pc = "arms" /\ To(x, [th[x] EXCEPT !.pc = "schedules", !.t = armed]) /\ UNCHANGED source
  \/ th[x].pc = "schedules" /\ source' = th[x].t
     /\ Go(x, IF Has("arm") THEN "armed?" ELSE th[x].then)
  \/ th[x].pc = "armed?" /\ Go(x, IF armed = th[x].t THEN th[x].then ELSE "arms") /\ UNCHANGED source

\* `setAnew`: until the timer is set to the instant that is current by then.
SetAnew(x) ==
  LET d == th[x].first
  IN \/ /\ th[x].pc = "next"  \* `nextSetting`
        /\ IF claim[d] # "waiting" \/ Timely(d)
             THEN being' = being \ {d} /\ Go(x, th[x].own) /\ UNCHANGED timer
             ELSE /\ timer' = [timer EXCEPT ![d] = inst[d]]
                  /\ being' = IF Has("again") THEN being ELSE being \ {d}
                  /\ To(x, [th[x] EXCEPT !.pc = "resets", !.t = inst[d]])
        /\ UNCHANGED <<out, line, claim, listed, inst, log, freed, source, handler>> /\ SameTimers
     \/ /\ th[x].pc = "resets"
        /\ Set(x, d, th[x].t, IF Has("again") THEN "next" ELSE th[x].own)

-----------------------------------------------------------------------------
(* A deadline comes.                                                         *)

\* `earliest`, one lock at a time, from the future upwards; then whether it comes before the future's own.
Look(x) ==
  LET f == of[th[x].d]
      In(g) == { e \in listed : of[e] = g /\ Pending(g) /\ (claim[e] = "waiting" \/ ~Has("waiting")) }
      y == th[x]
  IN /\ \/ /\ y.pc = "looks"
           /\ LET e == Earliest(In(f))
              IN To(x, [y EXCEPT !.first = e, !.due = IF e = 0 THEN Far ELSE inst[e],
                                 !.pc = IF f = 2 /\ Has("ahead") THEN "above" ELSE "judges"])
        \/ /\ y.pc = "above"
           /\ LET e == Earliest(In(1))
              IN To(x, [y EXCEPT !.first = IF e # 0 /\ inst[e] < y.due THEN e ELSE @,
                                 !.due = IF e # 0 /\ inst[e] < y.due THEN inst[e] ELSE @, !.pc = "judges",
                                 \* `Engine.join`: the cancellation is on its way.
                                 !.work = IF IsMarking(1, Threads) /\ Has("join") THEN <<<<"arrive", 2, out[1]>>>> \o @ ELSE @])
        \/ /\ y.pc = "judges"
           /\ LET comesFirst == y.first # 0 /\ y.due <= now
                                /\ (IF y.then = "decides" THEN y.due < y.t ELSE of[y.first] # f)
              IN To(x, IF comesFirst THEN [y EXCEPT !.pc = "clock"] ELSE [y EXCEPT !.first = y.d, !.pc = y.then])
     /\ SameFuture /\ SameTimers /\ UNCHANGED <<source, handler>>

\* `deadlineCame`.  The clock is read before the lock is taken.
Came(x) ==
  LET y == th[x]
      d == y.first
      f == of[d]
      \* When it has come, or didn't: the thread's own deadline is next, if this was another one.
      after == IF d = y.d THEN "idle" ELSE IF Has("looks") THEN "looks" ELSE y.then
      z == [y EXCEPT !.pc = after, !.first = y.d]
      Own == { e \in listed : of[e] = f /\ claim[e] = "waiting" /\ inst[e] <= y.due }
      Decides(e) ==
        /\ claim' = IF Has("claim") THEN [claim EXCEPT ![e] = "won"] ELSE claim
        /\ log' = [log EXCEPT ![f] = [d |-> e, at |-> inst[e], now |-> now, earlier |-> Holding(y.saw, inst[e])]]
        /\ Decide(x, z, f, <<"deadline", e>>, <<<<"stop", e>>>>)
  IN \/ /\ y.pc = "clock"
        \* A timer that fires says for which instant it was set: if the deadline was moved since, it is set again.
        /\ To(x, [y EXCEPT !.due = IF x = Handler /\ d = y.d /\ Has("exact") THEN y.fired ELSE now, !.pc = "came"])
        /\ SameFuture /\ SameTimers /\ UNCHANGED <<source, handler>>
     \/ /\ y.pc = "came"
        /\ timer' = IF Has("fired") THEN [timer EXCEPT ![d] = None] ELSE timer
        /\ IF ~Pending(f) \/ claim[d] # "waiting" THEN To(x, z) /\ UNCHANGED <<out, line, claim, being, log>>
           ELSE IF inst[d] > y.due THEN
             IF d \in being \/ ~Has("later") THEN To(x, z) /\ UNCHANGED <<out, line, claim, being, log>>
             ELSE /\ being' = being \union {d}
                  /\ To(x, [y EXCEPT !.pc = "next", !.own = after])
                  /\ UNCHANGED <<out, line, claim, log>>
           ELSE IF ~Has("turn") THEN Go(x, "late") /\ UNCHANGED <<out, line, claim, being, log>>
           ELSE Decides(IF Has("earliest") THEN Earliest(Own) ELSE d) /\ UNCHANGED being
        /\ UNCHANGED <<listed, inst, freed, source, handler>> /\ SameTimers
     \/ /\ y.pc = "late"  \* the fault that it decides in another turn
        /\ IF claim[d] = "waiting" THEN Decides(d) ELSE To(x, z) /\ UNCHANGED <<out, line, claim, log>>
        /\ UNCHANGED <<listed, inst, timer, being, freed, source, handler>> /\ SameTimers

Coming(x) == Look(x) \/ Came(x)

\* The timer of the system fires: what is due leaves the heap, and is decided, one after the other.
Fire ==
  \/ /\ source # None /\ source <= now /\ th[Handler] = Idle /\ handler = <<>>
     /\ source' = None /\ Go(Handler, "fires")
     /\ SameFuture /\ SameTimers /\ UNCHANGED handler
  \/ /\ th[Handler].pc = "fires"
     /\ LET due == { d \in Deadlines : heap[d] # None /\ heap[d] <= now }
            rest == { heap[d] : d \in Deadlines \ due } \ {None}
        IN /\ heap' = [d \in Deadlines |-> IF d \in due THEN None ELSE heap[d]]
           /\ armed' = IF rest = {} THEN None ELSE CHOOSE i \in rest : \A j \in rest : i <= j
           \* In the order of the heap, which is that of their instants, or of former ones.
           /\ handler' = LET order == CHOOSE s \in [1..Cardinality(due) -> due] :
                                           \A i, j \in DOMAIN s : i < j => s[i] # s[j] /\ heap[s[i]] <= heap[s[j]]
                         IN [i \in DOMAIN order |-> <<order[i], heap[order[i]], Passed(2)>>]
           /\ source' = IF ArmsAtOnce THEN armed' ELSE source
           /\ To(Handler, [th[Handler] EXCEPT !.pc = IF ArmsAtOnce THEN "idle" ELSE "arms", !.then = "idle"])
     /\ SameFuture /\ UNCHANGED stopped
  \/ /\ th[Handler].pc = "arms" \/ th[Handler].pc = "schedules" \/ th[Handler].pc = "armed?"
     /\ Arm(Handler) /\ SameFuture /\ SameTimers /\ UNCHANGED handler
  \/ /\ th[Handler] = Idle /\ handler # <<>>
     /\ handler' = Tail(handler)
     /\ LET d == Head(handler)[1]
        IN To(Handler, [Idle EXCEPT !.d = d, !.fired = Head(handler)[2], !.first = d, !.then = "clock",
                                    !.saw = Passed(of[d]) \union Head(handler)[3],
                                    !.pc = IF Pending(of[d]) THEN "looks" ELSE "clock"])
     /\ SameFuture /\ SameTimers /\ UNCHANGED source
  \* `MarkedTree`: what is left is to be delivered, on a thread of its own.
  \/ /\ th[Handler].pc = "idle" /\ th[Handler].work # <<>>
     /\ Head(th[Handler].work)[1] \notin {"stop", "arrive"}
     /\ \E r \in Runners : th[r] = Idle
     /\ LET r == CHOOSE r \in Runners : th[r] = Idle
        IN th' = [th EXCEPT ![r] = [Idle EXCEPT !.work = th[Handler].work], ![Handler] = Idle]
     /\ SameFuture /\ SameTimers /\ UNCHANGED <<source, handler>>

\* The same thread looks, decides and marks; it delivers nothing.
HandlerStep ==
  /\ IF th[Handler].work # <<>> /\ Head(th[Handler].work)[1] \in {"stop", "arrive"} THEN Work(Handler)
     ELSE /\ Coming(Handler) \/ SetAnew(Handler)
          /\ UNCHANGED <<of, prog, at, now>>

-----------------------------------------------------------------------------
(* Calls.                                                                    *)

Begin(c) ==
  LET call == prog[c][at[c]]
      d == call[2]
      y == [Idle EXCEPT !.d = d, !.first = d, !.own = "idle"]
  IN /\ th[c] = Idle /\ at[c] <= Len(prog[c])
     /\ call[1] \in {"move", "unregister"} => IsKnown(d)
     /\ at' = [at EXCEPT ![c] = @ + 1]
     /\ CASE call[1] = "set" ->
               /\ To(c, IF ~Pending(of[d]) THEN Idle
                        ELSE IF call[3] > now THEN [y EXCEPT !.pc = "adds", !.t = call[3]]
                        \* It has passed: an earlier one may have passed whose timer is late.
                        ELSE [y EXCEPT !.pc = "looks", !.t = call[3], !.then = "decides",
                                       !.saw = Passed(of[d])])
               /\ SameFuture
          [] call[1] = "move" ->  \* `FutureMachine.move`
               /\ IF Pending(of[d]) /\ (claim[d] = "waiting" \/ ~Has("moved"))
                    THEN /\ inst' = [inst EXCEPT ![d] = call[3]]
                         /\ LET sets == ~(timer[d] # None /\ timer[d] <= call[3]) /\ (d \notin being \/ ~Has("being"))
                            IN /\ being' = IF sets THEN being \union {d} ELSE being
                               /\ To(c, IF sets THEN [y EXCEPT !.pc = "next"] ELSE Idle)
                    ELSE UNCHANGED <<inst, being, th>>
               /\ UNCHANGED <<out, line, claim, listed, timer, log, freed>>
          [] call[1] = "unregister" ->
               /\ IF claim[d] = "waiting"
                    THEN /\ claim' = [claim EXCEPT ![d] = "removed"] /\ freed' = freed \union {d}
                         /\ To(c, [y EXCEPT !.pc = "removes"])
                    ELSE UNCHANGED <<claim, freed, th>>
               /\ UNCHANGED <<out, line, listed, inst, timer, being, log>>
          [] call[1] = "block" ->
               /\ line' = [line EXCEPT ![d] = Append(@, <<"block", 0>>)]
               /\ UNCHANGED <<out, claim, listed, inst, timer, being, log, freed, th>>
          [] call[1] \in {"complete", "cancel"} ->
               /\ Decide(c, Idle, d, <<call[1], 0>>, <<>>)
               /\ UNCHANGED <<claim, listed, inst, timer, being, log, freed>>
     /\ SameTimers /\ UNCHANGED <<source, handler>>

\* What is left of a call.
Continue(c) ==
  LET y == th[c]
      d == y.d
  IN \/ /\ y.pc = "adds"
        /\ IF Pending(of[d])
             THEN /\ claim' = [claim EXCEPT ![d] = "waiting"] /\ listed' = listed \union {d}
                  /\ inst' = [inst EXCEPT ![d] = y.t] /\ timer' = [timer EXCEPT ![d] = y.t]
                  /\ Go(c, "sets")
             ELSE To(c, Idle) /\ UNCHANGED <<claim, listed, inst, timer>>
        /\ SameTimers /\ UNCHANGED <<out, line, being, log, freed, source, handler>>
     \/ y.pc = "sets" /\ Set(c, d, y.t, "idle")
     \/ /\ y.pc = "removes"
        /\ listed' = listed \ {d} /\ Go(c, "stops")
        /\ SameTimers /\ UNCHANGED <<out, line, claim, inst, timer, being, log, freed, source, handler>>
     \/ /\ y.pc = "stops"
        /\ stopped' = stopped \union {d} /\ heap' = [heap EXCEPT ![d] = None] /\ Go(c, "idle")
        /\ SameFuture /\ UNCHANGED <<armed, source, handler>>
     \/ /\ y.pc = "decides"
        /\ log' = IF ~Pending(of[d]) THEN log ELSE
                    [log EXCEPT ![of[d]] = [d |-> d, at |-> y.t, now |-> now, earlier |-> Holding(y.saw, y.t)]]
        /\ inst' = [inst EXCEPT ![d] = y.t]
        /\ Decide(c, Idle, of[d], <<"deadline", d>>, <<>>)
        /\ SameTimers /\ UNCHANGED <<claim, listed, timer, being, freed, source, handler>>

ThreadStep(x) ==
  IF th[x].work # <<>> THEN Work(x)
  ELSE /\ \/ (Arm(x) /\ SameFuture /\ SameTimers /\ UNCHANGED handler) \/ SetAnew(x) \/ Coming(x) \/ Continue(x)
       /\ UNCHANGED <<of, prog, at, now>>

Tick == now < End /\ now' = now + 1 /\ UNCHANGED <<of, prog, at, th, source, handler>> /\ SameFuture /\ SameTimers

Step ==
  \/ \E c \in Clients : Begin(c) /\ UNCHANGED <<of, prog, now>>
  \/ \E x \in Threads \ {Handler} : ThreadStep(x)
  \/ \E f \in Futures : Turn(f)
  \/ Fire /\ UNCHANGED <<of, prog, at, now>>
  \/ HandlerStep
  \/ Tick

\* No thread has something to do, but for what the clock may bring.
IsQuiet == /\ \A x \in Threads : th[x] = Idle
           /\ \A f \in Futures : line[f] = <<>>
           /\ handler = <<>> /\ ~(source # None /\ source <= now)
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

\* L14: when a deadline decides, no earlier one of this future or of the one above had passed and is still in force, or has
\* decided the one above.
EarliestIsReason == \A f \in Futures : out[f] = <<"deadline", log[f].d>> => log[f].earlier = {}

\* When nothing happens, each deadline has a timer that fires in time.
TimersAreSet ==
  IsQuiet => /\ \A d \in InForce : inst[d] # Far => heap[d] # None /\ heap[d] <= inst[d]
             /\ \A d \in Deadlines : heap[d] # None => source # None /\ source <= heap[d]

\* In the end each deadline in force is still to come.
AllHaveCome == IsDone => \A d \in InForce : inst[d] > End

\* L7: the heap keeps nothing of a deadline that is over.
NothingIsKept == HaveReturned => \A d \in Deadlines : claim[d] # "waiting" \/ ~Pending(of[d]) => heap[d] = None

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
