------------------------------ MODULE Machine ------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* The machine as it is built: what each thread does between two rounds      *)
(* through a lock is one step.                                               *)
(*                                                                           *)
(* A decision is taken in place if nobody is in line, and by the thread that *)
(* makes it, which then notifies the neighbors (`Engine.swift`), takes the   *)
(* handlers one by one and hands each over (`Delivery.swift`).  Names are    *)
(* those of `FutureMachine.swift`.  Its invariants have switches here: what  *)
(* is in `Without` is built without that guard.                              *)

EXTENDS Naturals, Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Futures,   \* numbers from 1
  Clients,   \* those who call, numbers from 1
  Programs,  \* the programs from which one is chosen: functions from 0 and the clients to sequences of calls
  Graphs,    \* the sets of links from which one is chosen
  Without,   \* what is left out: guards, of "M1" to "M7", "E2", "order", "late", "early", "back" and "forth", and single lines
  IsWatched  \* whether what is seen is told, for `Refinement`

VARIABLES
  prog,     \* prog[c]: the calls that client c makes; prog[0]: the handlers that are there from the beginning
  links,    \* all links: <<source, target, kind>>
  fut,      \* the machines, one for each future
  claim,    \* what has become of each handler: waiting, removed, started, dropped (it is for the other outcome)
  cut,      \* the links that the target has dropped (`isDetached`)
  queue,    \* the private queues: calls that wait for their turn (a batch of handlers is as many calls)
  thread,   \* the clients <<"client", c>> and the queues' own threads <<"queue", f>>
  answer,   \* what a queue's thread tells a client who waits: <<>> or <<answer>>
  excused,  \* futures that a walk had to leave behind because of a block (L11's exception)
  order,    \* the order in which handlers and blocks have come to their turn on each queue
  event     \* what is seen of the last step: a sequence of events, as in `Literal`

vars == <<prog, links, fut, claim, cut, queue, thread, answer, excused, order, event>>

None == "none"
Has(guard) == guard \notin Without

-----------------------------------------------------------------------------
(* Calls: <<name, future, ...>>; id is <<client, position>>.  Decisions that *)
(* a link brings into line have no client.                                   *)

Call(id) == IF id[1] >= 0 THEN prog[id[1]][id[2]] ELSE << <<"cancel">>, <<"complete">> >>[id[2]]
Name(id) == Call(id)[1]
LinkDecision(o) == IF o = "cancelled" THEN <<-1, 1>> ELSE <<-1, 2>>

IsDecision(name) == name \in {"complete", "cancel", "tryComplete", "tryCancel"}
IsBlock(name) == name \in {"peek", "peekAndWait", "blockComplete", "blockCancel"}
IsLook(name) == name \in {"peek", "peekAndWait"}
Waits(name) == name \in {"tryComplete", "tryCancel", "peekAndWait"}
Asks(name) == IF name \in {"complete", "tryComplete", "blockComplete"} THEN "completed" ELSE "cancelled"

\* Entries of a list of handlers are calls that add one, blocks that go the way of handlers, and links, which have three
\* components.
IsLink(e) == Len(e) = 3
IsHandler(e) == Len(e) = 2
Place(id) == IF Name(id) = "add" THEN Call(id)[3] ELSE "queue"
Matches(id, o) == IF Name(id) = "add" THEN Call(id)[4] \in {"both", o} ELSE TRUE

Handlers == UNION { { <<c, i>> : i \in { n \in 1..Len(prog[c]) : prog[c][n][1] = "add" } } : c \in DOMAIN prog }

-----------------------------------------------------------------------------
(* Links, and what is itself an entry of its source: a child, and a derived  *)
(* future.                                                                   *)
(*   cascade: source cancelled => target cancelled                           *)
(*   pass:    source completed => target completed; cancelled both ways      *)
(*   child:   source cancelled => target cancelled                           *)
(*   derive:  source completed => the target's answer, when the engine has   *)
(*            nothing else left to do; cancelled both ways                   *)

Source(l) == l[1]
Target(l) == l[2]
Kind(l) == l[3]
IsObject(l) == Kind(l) \in {"cascade", "pass"}
ActsBack(l) == Kind(l) \in {"pass", "derive"}
Concerns(l, o, end) ==
  IF end = "source" THEN Kind(l) = "pass" \/ o = "cancelled" ELSE ActsBack(l) /\ o = "cancelled"

-----------------------------------------------------------------------------
(* Sequences.                                                                *)

Range(s) == { s[i] : i \in 1..Len(s) }
Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)
IndexOf(s, e) == IF e \in Range(s) THEN CHOOSE i \in 1..Len(s) : s[i] = e ELSE 0

RECURSIVE ToSeq(_)
ToSeq(set) == IF set = {} THEN <<>> ELSE LET e == CHOOSE e \in set : TRUE IN <<e>> \o ToSeq(set \ {e})

\* How far a condition holds for the entries of a list, if it holds for the first n.
Reach(list, Holds(_), n) ==
  LET ends == { i \in (n + 1)..Len(list) : ~Holds(list[i]) }
  IN IF ends = {} THEN Len(list) ELSE (CHOOSE i \in ends : \A k \in ends : i <= k) - 1

-----------------------------------------------------------------------------
(* The beginning: every handler and link is registered.                      *)

First(f) == [i \in 1..Len(prog[0]) |-> <<0, i>>]
OwnFirst(f) == SelectSeq(First(f), LAMBDA h : Call(h)[2] = f)
HasNodeless(f) == OwnFirst(f) # <<>>

\* Handlers first, then links.  The first one has no node.
NewFuture(f) ==
  [ phase    |-> "pending",
    outcome  |-> None,
    nodeless |-> IF HasNodeless(f) THEN <<OwnFirst(f)[1]>> ELSE <<>>,
    list     |-> (IF HasNodeless(f) THEN Tail(OwnFirst(f)) ELSE OwnFirst(f))
                   \o ToSeq({ l \in links : Source(l) = f }),
    hasFirst |-> HasNodeless(f),
    late     |-> <<>>,     \* the end of the list: what was added after the outcome
    sources  |-> ToSeq({ l \in links : Target(l) = f /\ IsObject(l) })
                   \o ToSeq({ l \in links : Target(l) = f /\ ~IsObject(l) }),
    inLine   |-> 0,
    deciders |-> {},       \* the threads that deliver it (M4)
    isFirst  |-> None,     \* its first outcome (M1)
    registered |-> OwnFirst(f),  \* handlers and blocks for the queue, in the order in which they came
    wasLooked |-> FALSE ]  \* whether the block that has the turn has seen it pending

\* A piece of a delivery: what is to be done, and with which entries.
Over == << "over", <<>> >>
PieceOf(kind) == CASE kind = "child" -> "forget" [] kind = "derive" -> "answer" [] OTHER -> "pass"

Idle ==
  [ pc |-> "idle", at |-> 0, f |-> 0, arrivals |-> <<>>, marked |-> <<>>, joined |-> {}, goes |-> <<>>,
    step |-> Over, sources |-> <<>>, answers |-> <<>>, job |-> <<>>, then |-> "idle", says |-> None ]

Threads == { <<"client", c>> : c \in Clients } \union { <<"queue", f>> : f \in Futures }

Init ==
  /\ prog \in Programs
  /\ links \in Graphs
  /\ fut = [f \in Futures |-> NewFuture(f)]
  /\ claim = [h \in Handlers |-> "waiting"]
  /\ cut = {}
  /\ queue = [f \in Futures |-> <<>>]
  /\ thread = [t \in Threads |-> Idle]
  /\ answer = [c \in Clients |-> <<>>]
  /\ excused = {}
  /\ order = [f \in Futures |-> <<>>]
  /\ event = <<>>

Tell(events) == event' = IF IsWatched THEN events ELSE <<>>
Quiet == event' = <<>>

-----------------------------------------------------------------------------
(* What the machine does under its lock: functions of one future.            *)

IsUnheeded(m) == m.list \o m.late = <<>> /\ m.nodeless = <<>>

\* M1: only a future that is pending is decided.
MayDecide(m) == m.phase = "pending" \/ (~Has("M1") /\ m.outcome # None)

Set(m, o) == [m EXCEPT !.outcome = o, !.isFirst = IF @ = None THEN o ELSE @]

\* `neighbors`: where the outcome goes next, and from which end of which link.  `except` is the link by which it came: at
\* the other end nothing is new.
Neighbors(m, except) ==
  LET Of(list, end) ==
        LET good == SelectSeq(list, LAMBDA e : IsLink(e) /\ Concerns(e, m.outcome, end) /\ e # except)
        IN [i \in DOMAIN good |-> <<good[i], end, m.outcome>>]
  IN Of(m.list, "source") \o Of(m.sources, "target")

\* `next`, which takes the first piece of a delivery: the machine that is left, the piece that was taken, and the handlers
\* that were dropped on the way, because they are for the other outcome.  A link that acts one way, and was followed, has
\* left its target.  Those for the queue that follow each other are one piece.
Take(m, t) ==
  LET o == m.outcome
      Drops(e) == IF IsLink(e) THEN Kind(e) # "pass" /\ Concerns(e, o, "source") ELSE ~Matches(e, o) /\ Has("match")
      Joins(e) == IsHandler(e) /\ Place(e) = "queue" /\ ~Drops(e)
      all == m.nodeless \o m.list \o (IF Has("late") THEN <<>> ELSE m.late)
      d == Reach(all, Drops, 0)
      rest == SubSeq(all, d + 1, Len(all))
      n == IF rest # <<>> /\ Joins(rest[1]) THEN Reach(rest, Joins, 1) ELSE 1
      left == [m EXCEPT !.nodeless = <<>>, !.list = SubSeq(rest, n + 1, Len(rest)), !.late = IF Has("late") THEN @ ELSE <<>>]
      isOver == rest = <<>> /\ left.late = <<>>
  IN [ machine |-> IF isOver THEN [left EXCEPT !.phase = "resolved", !.deciders = @ \ {t}] ELSE left,
       step    |-> IF isOver THEN Over
                   ELSE IF rest = <<>> THEN << "late", <<>> >>
                   ELSE IF IsLink(rest[1]) THEN << PieceOf(Kind(rest[1])), <<rest[1]>> >>
                   ELSE IF Joins(rest[1]) THEN << "dispatch", SubSeq(rest, 1, n) >>
                   ELSE << "run", <<rest[1]>> >>,
       drops   |-> { e \in Range(SubSeq(all, 1, d)) : IsHandler(e) } ]

\* `release`: the phase that follows, when no block stands in the way, and what the thread has to do.
Released(m, t) ==
  LET begun == [m EXCEPT !.deciders = @ \union {t}]
  IN IF Neighbors(m, <<>>) # <<>>
     THEN [ machine |-> [begun EXCEPT !.phase = "marking"], step |-> Over, drops |-> {} ]
     ELSE Take([begun EXCEPT !.phase = "delivering", !.sources = <<>>], t)

\* What a thread does that was answered by `mark`, `deliver` or `finish`; the machine is as it was before.
Carries(m, t, f, self) ==
  LET released == Released(m, t)
      new == [self EXCEPT !.f = f]
  IN IF released.machine.phase = "marking"
     THEN [new EXCEPT !.pc = "walk", !.arrivals = Neighbors(m, <<>>), !.marked = <<f>>]
     ELSE [new EXCEPT !.pc = IF m.sources = <<>> THEN "hand over" ELSE "cut", !.sources = m.sources,
                      !.step = released.step]

\* A handler that runs inline has started when it is taken (E2); one that is dropped can't be removed any more.
Took(taken) ==
  claim' = [h \in DOMAIN claim |->
    IF claim[h] # "waiting" THEN claim[h]
    ELSE IF h \in taken.drops THEN "dropped"
    ELSE IF taken.step = << "run", <<h>> >> /\ Has("E2") THEN "started"
    ELSE "waiting"]

-----------------------------------------------------------------------------
(* Steps of a client.                                                        *)

(* A call begins with its first round through the lock, and returns with its *)
(* last step.  If it began earlier or returned later, it could be explained  *)
(* all the more; so these are the histories that are hardest to explain.     *)

Me(c) == <<"client", c>>
Go(t, new) == thread' = [thread EXCEPT ![t] = new]

Calling(c) == thread[Me(c)].pc = "idle" /\ thread[Me(c)].at < Len(prog[c])
NextCall(c) == <<c, thread[Me(c)].at + 1>>
InCall(c) == [Idle EXCEPT !.at = thread[Me(c)].at + 1]
Now(c) == <<c, thread[Me(c)].at>>

BeginOf(id) == << <<"begin", id, None>> >>
ReturnOf(id, says) == << <<"return", id, says>> >>
Return(c, at) == Go(Me(c), [Idle EXCEPT !.at = at])

\* What nearly all steps leave as it is.
Still == UNCHANGED <<prog, links>>

\* `decide`, arriving: in place, or into the line.
Decide(c) ==
  LET id == NextCall(c)
      self == InCall(c)
      f == Call(id)[2]
      m == fut[f]
      o == Asks(Name(id))
      decided == Released(Set(m, o), Me(c))
  IN /\ Calling(c) /\ IsDecision(Name(id))
     /\ IF ~MayDecide(m) THEN
          /\ Return(c, id[2])
          /\ Tell(BeginOf(id) \o ReturnOf(id, IF Waits(Name(id)) THEN "no" ELSE None))
          /\ UNCHANGED <<fut, claim>>
        ELSE IF m.inLine > 0 /\ Has("M2") THEN
          /\ fut' = [fut EXCEPT ![f].inLine = @ + 1]
          /\ Go(Me(c), [self EXCEPT !.pc = "enqueue", !.f = f, !.job = <<id>>])
          /\ Tell(BeginOf(id))
          /\ UNCHANGED claim
        ELSE
          /\ fut' = [fut EXCEPT ![f] = decided.machine]
          /\ Go(Me(c), [Carries(Set(m, o), Me(c), f, self)
                          EXCEPT !.then = "return", !.says = IF Waits(Name(id)) THEN "yes" ELSE None])
          /\ Took(decided)
          /\ Tell(BeginOf(id))
     /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

\* `performBegan`.
Perform(c) ==
  LET id == NextCall(c)
      f == Call(id)[2]
      m == fut[f]
      goesTheWayOfHandlers == m.late # <<>> /\ Name(id) # "peekAndWait"
  IN /\ Calling(c) /\ IsBlock(Name(id))
     /\ fut' = [fut EXCEPT ![f].inLine = @ + 1]
     /\ Go(Me(c), [InCall(c) EXCEPT !.pc = IF goesTheWayOfHandlers THEN "add" ELSE "enqueue", !.f = f, !.job = <<id>>])
     /\ Tell(BeginOf(id))
     /\ Still /\ UNCHANGED <<claim, cut, queue, answer, excused, order>>

\* The `async` of a block or of a decision that was counted, or of a late handler; whoever waits for its turn waits.
Enqueue(c) ==
  LET self == thread[Me(c)]
      id == self.job[1]
  IN /\ self.pc = "enqueue"
     /\ queue' = [queue EXCEPT ![self.f] = Append(@, id)]
     /\ IF Waits(Name(id)) THEN Go(Me(c), [self EXCEPT !.pc = "waiting"]) /\ Quiet
        ELSE Return(c, self.at) /\ Tell(ReturnOf(id, None))
     /\ Still /\ UNCHANGED <<fut, claim, cut, answer, excused, order>>

Woken(c) ==
  LET self == thread[Me(c)]
  IN /\ self.pc = "waiting" /\ answer[c] # <<>>
     /\ answer' = [answer EXCEPT ![c] = <<>>]
     /\ Return(c, self.at)
     /\ Tell(ReturnOf(Now(c), answer[c][1]))
     /\ Still /\ UNCHANGED <<fut, claim, cut, queue, excused, order>>

\* `add`: of a handler, or of a block that goes the way of handlers.
Add(c) ==
  LET isBlock == thread[Me(c)].pc = "add"
      id == IF isBlock THEN Now(c) ELSE NextCall(c)
      begins == IF isBlock THEN <<>> ELSE BeginOf(id)
      self == IF isBlock THEN thread[Me(c)] ELSE InCall(c)
      f == Call(id)[2]
      m == fut[f]
      isInline == Place(id) = "inline"
      startsNow == m.phase = "resolved" \/ (isInline /\ m.phase # "held") \/ ~Has("order")
      \* Only one handler of a future is ever without a node.
      isNodeless == ~isBlock /\ m.phase = "pending" /\ IsUnheeded(m) /\ ~m.hasFirst
  IN /\ isBlock \/ (Calling(c) /\ Name(id) = "add")
     /\ IF m.outcome = None \/ (Matches(id, m.outcome) /\ ~startsNow) THEN
          /\ fut' = [fut EXCEPT ![f] =
               LET kept == [m EXCEPT !.registered = IF isInline THEN @ ELSE Append(@, id)]
               IN IF isNodeless THEN [kept EXCEPT !.nodeless = <<id>>, !.hasFirst = TRUE]
                  ELSE IF m.phase \in {"marking", "delivering"} THEN [kept EXCEPT !.late = Append(@, id)]
                  ELSE [kept EXCEPT !.list = Append(@, id)]]
          /\ Return(c, id[2])
          /\ Tell(begins \o ReturnOf(id, None))
          /\ UNCHANGED claim
        ELSE IF ~Matches(id, m.outcome) THEN
          /\ Return(c, id[2])
          /\ claim' = [claim EXCEPT ![id] = "dropped"]
          /\ Tell(begins \o ReturnOf(id, None))
          /\ UNCHANGED fut
        ELSE
          /\ Go(Me(c), IF isInline THEN [self EXCEPT !.pc = "late"] ELSE [self EXCEPT !.pc = "enqueue", !.f = f, !.job = <<id>>])
          /\ fut' = [fut EXCEPT ![f].registered = IF isInline THEN @ ELSE Append(@, id)]
          /\ Tell(begins)
          /\ UNCHANGED claim
     /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

\* A late inline handler runs in its call.
RunLate(c) ==
  LET id == Now(c)
  IN /\ thread[Me(c)].pc = "late"
     /\ claim' = [claim EXCEPT ![id] = "started"]
     /\ Return(c, id[2])
     /\ Tell(<< <<"handler", id, None>> >> \o ReturnOf(id, None))
     /\ Still /\ UNCHANGED <<fut, cut, queue, answer, excused, order>>

\* `unregister`.
RemoveHandler(c) ==
  LET id == NextCall(c)
      f == Call(id)[2]
      h == <<0, Call(id)[3]>>
      m == fut[f]
      does == claim[h] = "waiting"
      mayRun == m.outcome = None \/ Matches(h, m.outcome)
  IN /\ Calling(c) /\ Name(id) = "remove"
     /\ claim' = [claim EXCEPT ![h] = IF does THEN "removed" ELSE @]
     /\ fut' = [fut EXCEPT ![f].list = Remove(@, h), ![f].late = Remove(@, h), ![f].nodeless = Remove(@, h)]
     /\ Return(c, id[2])
     /\ Tell(BeginOf(id) \o ReturnOf(id, IF does /\ mayRun THEN "yes" ELSE "no"))
     /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

Poll(c) ==
  LET id == NextCall(c)
  IN /\ Calling(c) /\ Name(id) = "poll"
     /\ Return(c, id[2])
     /\ Tell(BeginOf(id) \o ReturnOf(id, fut[Call(id)[2]].outcome))
     /\ Still /\ UNCHANGED <<fut, claim, cut, queue, answer, excused, order>>

-----------------------------------------------------------------------------
(* Walks: `Engine.next`.                                                     *)

\* The next neighbor is notified (`arrive`).  If that decides it, its own neighbors come behind, collected in this step; and
\* so they do if another thread is notifying them.
Arrive(t) ==
  LET self == thread[t]
      a == Head(self.arrivals)
      l == a[1]
      end == a[2]
      g == IF end = "source" THEN Target(l) ELSE Source(l)
      m == fut[g]
      o == a[3]
      isListed == l \in Range(m.sources)
      \* What acts one way is used up; by the others a walk may come back to the source.
      takesOff == end = "source" /\ isListed
                    /\ CASE Kind(l) = "cascade" -> m.phase \in {"pending", "held"}
                         [] Kind(l) = "child" -> m.phase = "pending"
                         [] OTHER -> ~Has("back") /\ m.phase \in {"pending", "held"}
      isDropped == end = "target" /\ ~Has("forth")
      off == [m EXCEPT !.sources = IF takesOff THEN Remove(@, l) ELSE @, !.list = IF isDropped THEN Remove(@, l) ELSE @]
      isDecided == (end = "target" \/ isListed) /\ m.phase = "pending"
      \* With a single source there is nothing to find behind this future.
      off2 == IF IsObject(l) /\ off.sources = <<l>> /\ off.inLine = 0 /\ IsUnheeded(off)
              THEN [off EXCEPT !.sources = <<>>] ELSE off
      isFinished == IsUnheeded(off2) /\ off2.sources = <<>>
      decided == Set(off2, o)
      rest == [self EXCEPT !.arrivals = Tail(@)]
  IN /\ self.pc = "walk" /\ self.arrivals # <<>>
     /\ IF m.phase = "marking" THEN
          \* M7: the neighbors are there for everybody who comes by, not only for the one who has decided.
          /\ Go(t, IF g \in self.joined /\ Has("once") THEN rest
                   ELSE [rest EXCEPT !.joined = @ \union {g},
                                     !.arrivals = @ \o (IF Has("M7") THEN Neighbors(off, l) ELSE <<>>)])
          /\ fut' = [fut EXCEPT ![g] = off]
          /\ UNCHANGED excused
        ELSE IF ~isDecided THEN
          /\ Go(t, rest)
          /\ fut' = [fut EXCEPT ![g] = off]
          /\ excused' = IF m.phase = "held" THEN excused \union {g} ELSE excused
        ELSE IF m.inLine > 0 /\ Has("M2") THEN
          /\ Go(t, [rest EXCEPT !.pc = "enqueue neighbor", !.goes = <<g, LinkDecision(o)>>])
          /\ fut' = [fut EXCEPT ![g] = [off EXCEPT !.inLine = IF Has("count") THEN @ + 1 ELSE @]]
          /\ excused' = excused \union {g}
        ELSE IF isFinished THEN
          /\ Go(t, rest)
          /\ fut' = [fut EXCEPT ![g] = [decided EXCEPT !.phase = "resolved"]]
          /\ UNCHANGED excused
        ELSE
          /\ Go(t, [rest EXCEPT !.marked = Append(@, g), !.arrivals = @ \o Neighbors(decided, l)])
          /\ fut' = [fut EXCEPT ![g] = [decided EXCEPT !.phase = "marking", !.deciders = @ \union {t}]]
          /\ UNCHANGED excused
     /\ Quiet /\ Still /\ UNCHANGED <<claim, cut, queue, answer, order>>

\* What comes when a step of a walk has begun no delivery.
Rested(self) ==
  IF self.arrivals = <<>> /\ self.marked = <<>> /\ self.answers = <<>> THEN [self EXCEPT !.pc = "hand over", !.step = Over]
  ELSE [self EXCEPT !.pc = "walk"]

\* A neighbor with a block in line follows in its turn.
EnqueueNeighbor(t) ==
  LET self == thread[t]
  IN /\ self.pc = "enqueue neighbor"
     /\ queue' = [queue EXCEPT ![self.goes[1]] = Append(@, self.goes[2])]
     /\ fut' = [fut EXCEPT ![self.goes[1]].inLine = IF Has("count") THEN @ ELSE @ + 1]
     /\ Go(t, Rested([self EXCEPT !.goes = <<>>]))
     /\ Quiet /\ Still /\ UNCHANGED <<claim, cut, answer, excused, order>>

\* `marked`: the machine hands out the first piece; the root's first, then those of the others that this walk has decided.
\* "early" is the fault that it does so before all neighbors are notified.
Marked(t) ==
  LET self == thread[t]
      f == Head(self.marked)
      m == fut[f]
      taken == Take([m EXCEPT !.phase = "delivering", !.sources = IF Has("clear") THEN <<>> ELSE @], t)
  IN /\ self.pc = "walk" /\ self.marked # <<>> /\ (self.arrivals = <<>> \/ ~Has("early"))
     /\ fut' = [fut EXCEPT ![f] = taken.machine]
     /\ Took(taken)
     /\ Go(t, [self EXCEPT !.pc = IF m.sources = <<>> THEN "hand over" ELSE "cut", !.f = f, !.marked = Tail(@),
                       !.joined = {}, !.step = taken.step, !.sources = m.sources])
     /\ Quiet /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

-----------------------------------------------------------------------------
(* Delivery.                                                                 *)

\* `cut`, one source: it drops the link (`detach`) or the derived future, or the child (`leave`); but it keeps the children
\* to which its cancellation goes.
Cut(t) ==
  LET self == thread[t]
      l == Head(self.sources)
      s == fut[Source(l)]
      isKept == Kind(l) = "child" /\ s.outcome = "cancelled" /\ s.phase # "held"
  IN /\ self.pc = "cut"
     /\ Go(t, [self EXCEPT !.sources = Tail(@), !.pc = IF Len(self.sources) = 1 THEN "hand over" ELSE "cut"])
     /\ cut' = IF IsObject(l) THEN cut \union {l} ELSE cut
     /\ fut' = [fut EXCEPT ![Source(l)].list = IF isKept THEN @ ELSE Remove(@, l)]
     /\ Quiet /\ Still /\ UNCHANGED <<claim, queue, answer, excused, order>>

\* When a thread has delivered one future: the next one that this walk has decided, an answer, or what comes then.
Finishes(t, self) ==
  IF self.arrivals # <<>> \/ self.marked # <<>> \/ self.answers # <<>> THEN Go(t, [self EXCEPT !.pc = "walk", !.f = 0]) /\ Quiet
  ELSE IF self.then = "return" THEN
    Go(t, [Idle EXCEPT !.at = self.at]) /\ Tell(ReturnOf(<<t[2], self.at>>, self.says))
  ELSE Go(t, [Idle EXCEPT !.pc = self.then, !.job = self.job, !.says = self.says]) /\ Quiet

\* A piece is carried out.  What is late is taken and dispatched in one turn.
HandOver(t) ==
  LET self == thread[t]
      f == self.f
      what == self.step[2]
      m == fut[f]
      g == Target(what[1])
      isAwaited == fut[g].phase = "pending" /\ what[1] \in Range(fut[g].sources)
      goesOn == Go(t, [self EXCEPT !.pc = "take", !.step = Over])
  IN /\ self.pc = "hand over"
     /\ CASE self.step = Over ->
            /\ Finishes(t, self)
            /\ UNCHANGED <<fut, queue, claim>>
          [] self.step[1] = "late" ->
            /\ fut' = [fut EXCEPT ![f] = [m EXCEPT !.late = <<>>, !.phase = "resolved", !.deciders = @ \ {t}]]
            /\ queue' = [queue EXCEPT ![f] = IF Has("dispatch") THEN @ \o m.late ELSE @]
            /\ Go(t, [self EXCEPT !.step = Over])
            /\ Quiet /\ UNCHANGED claim
          [] self.step[1] = "run" ->
            /\ goesOn
            /\ Tell(<< <<"handler", what[1], None>> >>)
            /\ claim' = IF Has("E2") THEN claim
                        ELSE [claim EXCEPT ![what[1]] = IF @ = "removed" THEN "ran although removed" ELSE "started"]
            /\ UNCHANGED <<fut, queue>>
          [] self.step[1] = "dispatch" ->
            /\ queue' = [queue EXCEPT ![f] = @ \o what]
            /\ goesOn /\ Quiet /\ UNCHANGED <<fut, claim>>
          [] self.step[1] = "pass" ->
            \* The link leaves a target that is still pending (`ignore`).
            /\ fut' = [fut EXCEPT ![g].sources = IF fut[g].phase = "pending" THEN Remove(@, what[1]) ELSE @]
            /\ goesOn /\ Quiet /\ UNCHANGED <<queue, claim>>
          [] self.step[1] = "forget" ->
            /\ fut' = [fut EXCEPT ![g].sources = Remove(@, what[1])]
            /\ goesOn /\ Quiet /\ UNCHANGED <<queue, claim>>
          [] self.step[1] = "answer" ->
            \* `takeAnswer`: then nobody else calls the closure (K3).
            /\ fut' = [fut EXCEPT ![g].sources = IF isAwaited THEN Remove(@, what[1]) ELSE @]
            /\ Go(t, [self EXCEPT !.pc = "take", !.step = Over,
                              !.answers = IF isAwaited THEN Append(@, <<g, m.outcome>>) ELSE @])
            /\ Quiet /\ UNCHANGED <<queue, claim>>
     /\ Still /\ UNCHANGED <<cut, answer, excused, order>>

\* The next piece is taken.
TakeNext(t) ==
  LET self == thread[t]
      taken == Take(fut[self.f], t)
  IN /\ self.pc = "take"
     /\ fut' = [fut EXCEPT ![self.f] = taken.machine]
     /\ Took(taken)
     /\ Go(t, [self EXCEPT !.pc = "hand over", !.step = taken.step])
     /\ Quiet /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

\* The answer of a derived future decides it, when all that was marked is delivered.
Answered(t) ==
  LET self == thread[t]
      g == Head(self.answers)[1]
      o == Head(self.answers)[2]
      m == fut[g]
      decided == Released(Set(m, o), t)
      rest == [self EXCEPT !.answers = Tail(@)]
  IN /\ self.pc = "walk" /\ self.arrivals = <<>> /\ self.marked = <<>> /\ self.answers # <<>>
     /\ IF ~MayDecide(m) THEN
          /\ Go(t, Rested(rest))
          /\ UNCHANGED <<fut, claim>>
        ELSE IF m.inLine > 0 /\ Has("M2") THEN
          /\ fut' = [fut EXCEPT ![g].inLine = IF Has("count") THEN @ + 1 ELSE @]
          /\ Go(t, [rest EXCEPT !.pc = "enqueue neighbor", !.goes = <<g, LinkDecision(o)>>])
          /\ UNCHANGED claim
        ELSE
          /\ fut' = [fut EXCEPT ![g] = decided.machine]
          /\ Go(t, IF IsUnheeded(m) /\ decided.machine.phase = "resolved" THEN Rested(rest)
                   ELSE Carries(Set(m, o), t, g, rest))
          /\ Took(decided)
     /\ Quiet /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

-----------------------------------------------------------------------------
(* The thread of a private queue: one call after the other.                  *)

Worker(f) == <<"queue", f>>

\* A handler runs, unless it was removed; a block begins; a decision has its turn.
TakeTurn(f) ==
  LET t == Worker(f)
      id == Head(queue[f])
      self == [Idle EXCEPT !.job = <<id>>]
      m == fut[f]
      o == Asks(Name(id))
      counted == [m EXCEPT !.inLine = @ - 1]
      wins == MayDecide(m)
      decided == Released(Set(counted, o), t)
  IN /\ thread[t].pc = "idle" /\ queue[f] # <<>>
     /\ queue' = [queue EXCEPT ![f] = Tail(@)]
     /\ IF Name(id) = "add" THEN
          /\ claim' = [claim EXCEPT ![id] = IF @ = "waiting" THEN "started" ELSE @]
          /\ IF claim[id] = "waiting" THEN Tell(<< <<"handler", id, None>> >>) ELSE Quiet
          /\ order' = [order EXCEPT ![f] = Append(@, id)]
          /\ UNCHANGED <<fut, thread>>
        ELSE IF IsBlock(Name(id)) THEN
          /\ Go(t, [self EXCEPT !.pc = "block"])
          /\ Tell(<< <<"block begins", id, m.outcome>> >>)
          /\ fut' = [fut EXCEPT ![f].wasLooked = m.outcome = None, ![f].inLine = IF Has("M3") THEN @ ELSE @ - 1]
          /\ order' = [order EXCEPT ![f] = Append(@, id)]
          /\ UNCHANGED claim
        ELSE
          /\ fut' = [fut EXCEPT ![f] = IF wins THEN decided.machine ELSE counted]
          /\ Go(t, IF wins THEN [Carries(Set(counted, o), t, f, self) EXCEPT !.then = "answer", !.says = "yes"]
                   ELSE [self EXCEPT !.pc = "answer", !.says = "no"])
          /\ IF wins THEN Took(decided) ELSE UNCHANGED claim
          /\ Quiet /\ UNCHANGED order
     /\ Still /\ UNCHANGED <<cut, answer, excused>>

\* The block that runs decides: `hold`.
DecideInside(f) ==
  LET self == thread[Worker(f)]
      m == fut[f]
      o == Asks(Name(self.job[1]))
  IN /\ self.pc = "block" /\ ~IsLook(Name(self.job[1])) /\ m.phase = "pending"
     /\ fut' = [fut EXCEPT ![f] = [Set(m, o) EXCEPT !.phase = "held", !.wasLooked = FALSE]]
     /\ Quiet /\ Still /\ UNCHANGED <<claim, cut, queue, thread, answer, excused, order>>

EndOfBody(f) ==
  LET self == thread[Worker(f)]
  IN /\ self.pc = "block"
     /\ IsLook(Name(self.job[1])) \/ fut[f].phase # "pending"
     /\ fut' = [fut EXCEPT ![f].wasLooked = FALSE]
     /\ Go(Worker(f), [self EXCEPT !.pc = "end"])
     /\ Tell(<< <<"block ends", self.job[1], fut[f].outcome>> >>)
     /\ Still /\ UNCHANGED <<claim, cut, queue, answer, excused, order>>

\* `performEnded`.
EndPerform(f) ==
  LET t == Worker(f)
      self == thread[t]
      m == [fut[f] EXCEPT !.inLine = IF Has("M3") THEN @ - 1 ELSE @]
      releases == m.phase = "held" \/ (~Has("M4") /\ m.outcome # None)
  IN /\ self.pc = "end"
     /\ fut' = [fut EXCEPT ![f] = IF releases THEN Released(m, t).machine ELSE m]
     /\ Go(t, IF releases THEN [Carries(m, t, f, self) EXCEPT !.then = "answer"] ELSE [self EXCEPT !.pc = "answer"])
     /\ IF releases THEN Took(Released(m, t)) ELSE UNCHANGED claim
     /\ Quiet /\ Still /\ UNCHANGED <<cut, queue, answer, excused, order>>

\* Whoever waits is told, and the turn ends.
Answer(f) ==
  LET self == thread[Worker(f)]
      id == self.job[1]
  IN /\ self.pc = "answer"
     /\ answer' = IF id[1] > 0 /\ Waits(Name(id)) THEN [answer EXCEPT ![id[1]] = <<self.says>>] ELSE answer
     /\ Go(Worker(f), Idle)
     /\ Quiet /\ Still /\ UNCHANGED <<fut, claim, cut, queue, excused, order>>

-----------------------------------------------------------------------------

Delivers(t) ==
  Arrive(t) \/ EnqueueNeighbor(t) \/ Marked(t) \/ Answered(t) \/ Cut(t) \/ HandOver(t) \/ TakeNext(t)

ClientStep(c) ==
  \/ Decide(c) \/ Perform(c) \/ Enqueue(c) \/ Woken(c) \/ Add(c) \/ RunLate(c) \/ RemoveHandler(c) \/ Poll(c)
  \/ Delivers(Me(c))

WorkerStep(f) ==
  TakeTurn(f) \/ DecideInside(f) \/ EndOfBody(f) \/ EndPerform(f) \/ Answer(f) \/ Delivers(Worker(f))

\* All calls have returned, and all queues are empty.
IsOver ==
  /\ \A c \in Clients : thread[Me(c)].pc = "idle" /\ thread[Me(c)].at = Len(prog[c])
  /\ \A f \in Futures : thread[Worker(f)].pc = "idle" /\ queue[f] = <<>>

Step == (\E c \in Clients : ClientStep(c)) \/ (\E f \in Futures : WorkerStep(f))
Next == Step \/ (IsOver /\ UNCHANGED vars)

Spec == Init /\ [][Next]_vars
FairSpec ==
  Spec /\ (\A c \in Clients : WF_vars(ClientStep(c))) /\ (\A f \in Futures : WF_vars(WorkerStep(f)))

-----------------------------------------------------------------------------
(* What holds.                                                               *)

\* M1, L1: the first outcome is the only one.
OneOutcome == \A f \in Futures : fut[f].outcome = fut[f].isFirst /\ (fut[f].outcome = None <=> fut[f].phase = "pending")

\* M3: who joined and has not had the turn.
Joined(f) ==
  LET Counts(id) == IsHandler(id) /\ Name(id) # "add"
      In(s) == Cardinality({ i \in 1..Len(s) : Counts(s[i]) })
      \* Whoever is about to enqueue what was counted, or holds it in a piece; the block that has the turn.
      Of(t) ==
        LET self == thread[t]
        IN CASE self.pc \in {"enqueue", "add"} -> IF self.f = f THEN In(self.job) ELSE 0
             [] self.pc = "enqueue neighbor" -> IF self.goes[1] = f THEN 1 ELSE 0
             [] self.pc \in {"block", "end"} -> IF t = <<"queue", f>> THEN 1 ELSE 0
             [] self.pc \in {"cut", "hand over"} -> IF self.f = f THEN In(self.step[2]) ELSE 0
             [] OTHER -> 0
      RECURSIVE Sum(_)
      Sum(ts) == IF ts = {} THEN 0 ELSE LET t == CHOOSE t \in ts : TRUE IN Of(t) + Sum(ts \ {t})
  IN In(queue[f]) + In(fut[f].list) + In(fut[f].late) + Sum(Threads)

LineIsCounted == \A f \in Futures : fut[f].inLine = Joined(f)

\* M4: there never are two deliverers.
OneDeliverer == \A f \in Futures : Cardinality(fut[f].deciders) <= 1

\* L2: what runs is of the outcome, and was not removed (E2).
RemovedNeverRuns == \A h \in Handlers : claim[h] # "ran although removed"
OfTheOutcome == \A h \in Handlers : claim[h] = "started" => fut[Call(h)[2]].outcome # None /\ Matches(h, fut[Call(h)[2]].outcome)

\* L3, L4: handlers that were added one after the other come to their turn in that order.
InOrder ==
  \A f \in Futures :
    LET reg == fut[f].registered
        done == order[f]
    IN \A i, j \in 1..Len(done) :
         (i < j /\ done[i] \in Range(reg) /\ done[j] \in Range(reg)) => IndexOf(reg, done[i]) < IndexOf(reg, done[j])

\* L5: what a block has seen pending is pending until the block ends, or decides itself.
StableInspection == \A f \in Futures : fut[f].wasLooked => fut[f].outcome = None

\* L11: below a cancelled future that has started a handler nobody is pending, but for those with a block in line and
\* what is linked below them.
Below(f) ==
  LET Wider(set) ==
        set \union UNION { { IF Source(l) = g THEN Target(l) ELSE Source(l) :
                             l \in { k \in links : Source(k) = g \/ (Target(k) = g /\ ActsBack(k)) } }
                           : g \in { x \in set : fut[x].outcome = "cancelled" /\ (x = f \/ x \notin excused) } }
      RECURSIVE Grow(_)
      Grow(set) == IF Wider(set) = set THEN set ELSE Grow(Wider(set))
  IN Grow({f})

HasStarted(f) == \E h \in Handlers : h[1] = 0 /\ Call(h)[2] = f /\ claim[h] = "started"

WholeTree ==
  \A f \in Futures :
    (fut[f].outcome = "cancelled" /\ HasStarted(f)) => \A g \in Below(f) : fut[g].outcome # None \/ g \in excused

\* L7: when all is over nothing is kept.
NothingIsKept ==
  IsOver => \A f \in Futures : fut[f].outcome # None =>
    fut[f].phase = "resolved" /\ IsUnheeded(fut[f]) /\ fut[f].sources = <<>>

\* L2, L4: in the end everybody has had the turn, and every handler of the outcome has run.
AllIsDone ==
  /\ \A f \in Futures : fut[f].inLine = 0
  /\ \A h \in Handlers :
       LET o == fut[Call(h)[2]].outcome
       IN (o # None /\ Matches(h, o)) => claim[h] \in {"started", "removed"}
NobodyIsForgotten == IsOver => AllIsDone

\* With fairness the end comes.
Ends == <>[](IsOver /\ AllIsDone)
=============================================================================
