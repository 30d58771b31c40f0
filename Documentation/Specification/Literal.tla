------------------------------ MODULE Literal ------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* What a future means: a literal serial queue, and nothing clever.          *)
(*                                                                           *)
(* Each `complete`, `cancel` and `perform` is one enqueue on a FIFO queue    *)
(* with one worker, at some moment between the beginning and the return of   *)
(* the call.  Adding a handler, removing one and polling take effect at      *)
(* once, because they answer their caller.  The decision that comes first    *)
(* sets the outcome and hands the handlers over in order: one for the        *)
(* private queue is an enqueue of its own, an inline one is run.             *)
(*                                                                           *)
(* All steps are functions from a state to the set of states that may        *)
(* follow, so that `Refinement` can ask which states of this queue explain   *)
(* what was seen of the machine.                                             *)

EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Clients,       \* those who call, numbers from 1
  InlineOnQueue  \* whether inline handlers are run in the turn of the decision, or beside the queue

VARIABLES
  prog,  \* prog[c]: the calls that client c makes; prog[0]: the handlers that are there from the beginning
  lit    \* the queue and all around it

None == "none"

-----------------------------------------------------------------------------
(* Calls, by number: id is <<client, position>>.                             *)

Call(id) == prog[id[1]][id[2]]
Name(id) == Call(id)[1]

IsDecision(name) == name \in {"complete", "cancel", "tryComplete", "tryCancel"}
IsBlock(name) == name \in {"peek", "peekAndWait", "blockComplete", "blockCancel"}
Waits(name) == name \in {"tryComplete", "tryCancel", "peekAndWait"}
Asks(name) == IF name \in {"complete", "tryComplete", "blockComplete"} THEN "completed" ELSE "cancelled"

Place(id) == IF Name(id) = "add" THEN Call(id)[3] ELSE "queue"
Matches(id, o) == IF Name(id) = "add" THEN Call(id)[4] \in {"both", o} ELSE TRUE

Initial == [i \in 1..Len(prog[0]) |-> <<0, i>>]

-----------------------------------------------------------------------------
(* The state.                                                                *)

Start ==
  [ outcome  |-> None,
    handlers |-> Initial,                   \* in order of registration, until they are handed over
    removed  |-> {},
    over     |-> <<>>,                      \* being handed over
    queue    |-> <<>>,
    running  |-> <<>>,                      \* the block that has the turn: <<id>>, or nothing
    isHeld   |-> FALSE,                     \* it has decided
    hasEnded |-> FALSE,                     \* its body has returned, and its turn is about to end
    started  |-> {},                        \* the handlers that have started
    at       |-> [c \in Clients |-> 0],     \* the call that each client makes, or made last
    call     |-> [c \in Clients |-> "idle"],\* idle, begun, waiting (for its turn), or done
    answer   |-> [c \in Clients |-> None] ]

Current(s, c) == <<c, s.at[c]>>

\* Those that the decision hands over: what was removed and what is for the other outcome is left out.
Matching(s) == SelectSeq(s.handlers, LAMBDA h : h \notin s.removed /\ Matches(h, s.outcome))

Done(s, c, answer) == [s EXCEPT !.call[c] = "done", !.answer[c] = answer]

HandOver(s) == [s EXCEPT !.over = Matching(s), !.handlers = <<>>, !.isHeld = FALSE]

-----------------------------------------------------------------------------
(* What nobody sees.                                                         *)

\* A call takes effect.
Effects(s, c) ==
  LET id == Current(s, c)
      name == Name(id)
  IN IF s.call[c] # "begun" THEN {}
     ELSE IF IsDecision(name) \/ IsBlock(name) THEN
       { [s EXCEPT !.queue = Append(@, id), !.call[c] = IF Waits(name) THEN "waiting" ELSE "done"] }
         \* A try that finds the outcome there needn't wait for its turn to know the answer.
         \union (IF name \in {"tryComplete", "tryCancel"} /\ s.outcome # None THEN { Done(s, c, "no") } ELSE {})
     ELSE IF name = "poll" THEN { Done(s, c, s.outcome) }
     ELSE IF name = "remove" THEN
       LET h == <<0, Call(id)[3]>>
           mayRun == s.outcome = None \/ Matches(h, s.outcome)
           does == h \notin s.started /\ h \notin s.removed
       IN { Done([s EXCEPT !.removed = IF does THEN @ \union {h} ELSE @], c,
                 IF does /\ mayRun THEN "yes" ELSE "no") }
     ELSE \* add
       IF s.outcome = None \/ s.isHeld THEN { Done([s EXCEPT !.handlers = Append(@, id)], c, None) }
       ELSE IF ~Matches(id, s.outcome) THEN { Done(s, c, None) }
       ELSE IF Place(id) = "queue" THEN { Done([s EXCEPT !.queue = Append(@, id)], c, None) }
       ELSE {}  \* a late inline handler is run by its call: that is seen

IsFree(s) == s.running = <<>> /\ ~(InlineOnQueue /\ s.over # <<>>)

\* A decision has its turn.
Decides(s) ==
  IF ~IsFree(s) \/ s.queue = <<>> \/ ~IsDecision(Name(Head(s.queue))) THEN {}
  ELSE LET id == Head(s.queue)
           name == Name(id)
           wins == s.outcome = None
           taken == [s EXCEPT !.queue = Tail(@), !.outcome = IF wins THEN Asks(name) ELSE @]
           answered == IF Waits(name) THEN Done(taken, id[1], IF wins THEN "yes" ELSE "no") ELSE taken
       IN { IF wins THEN HandOver(answered) ELSE answered }

\* The block that has the turn decides.
DecidesInside(s) ==
  IF s.running = <<>> \/ s.hasEnded \/ s.outcome # None \/ Name(s.running[1]) \in {"peek", "peekAndWait"} THEN {}
  ELSE { [s EXCEPT !.outcome = Asks(Name(s.running[1])), !.isHeld = TRUE] }

\* The turn of a block ends; what it has decided is handed over.
EndsTurn(s) ==
  IF ~s.hasEnded THEN {}
  ELSE LET id == s.running[1]
           left == [s EXCEPT !.running = <<>>, !.hasEnded = FALSE]
           answered == IF Waits(Name(id)) THEN Done(left, id[1], None) ELSE left
       IN { IF s.isHeld THEN HandOver(answered) ELSE answered }

\* A handler goes to the queue.  One that was removed meanwhile goes nowhere.
Enqueues(s) ==
  IF s.over = <<>> THEN {}
  ELSE IF Head(s.over) \in s.removed THEN { [s EXCEPT !.over = Tail(@)] }
  ELSE IF Place(Head(s.over)) = "queue" THEN { [s EXCEPT !.over = Tail(@), !.queue = Append(@, Head(s.over))] }
  ELSE {}

\* A handler whose turn has come can't be removed any more; then it is seen to start.
Claims(s) ==
  { [s EXCEPT !.started = @ \union {h}] :
      h \in { i \in (IF IsFree(s) /\ s.queue # <<>> THEN {Head(s.queue)} ELSE {})
                     \union (IF s.over # <<>> /\ Place(Head(s.over)) = "inline" THEN {Head(s.over)} ELSE {}) :
               Name(i) = "add" /\ i \notin s.started /\ i \notin s.removed } }

\* One that was removed while it stood in the queue is passed over.
PassesOver(s) ==
  IF IsFree(s) /\ s.queue # <<>> /\ Head(s.queue) \in s.removed THEN { [s EXCEPT !.queue = Tail(@)] } ELSE {}

Unseen(s) ==
  (UNION { Effects(s, c) : c \in Clients })
    \union Decides(s) \union DecidesInside(s) \union EndsTurn(s) \union Enqueues(s) \union Claims(s)
    \union PassesOver(s)

-----------------------------------------------------------------------------
(* What is seen: an event is <<what, id, answer>>.                           *)

Seen(s, e) ==
  LET id == e[2]
      c == id[1]
  IN CASE e[1] = "begin" ->
            IF s.call[c] = "idle" /\ s.at[c] + 1 = id[2]
            THEN { [s EXCEPT !.at[c] = id[2], !.call[c] = "begun", !.answer[c] = None] } ELSE {}
       [] e[1] = "return" ->
            IF s.call[c] = "done" /\ s.at[c] = id[2] /\ s.answer[c] = e[3]
            THEN { [s EXCEPT !.call[c] = "idle"] } ELSE {}
       [] e[1] = "handler" ->
            (IF id \in s.started /\ IsFree(s) /\ s.queue # <<>> /\ Head(s.queue) = id
             THEN { [s EXCEPT !.queue = Tail(@)] } ELSE {})
              \union
            (IF id \in s.started /\ s.over # <<>> /\ Head(s.over) = id
             THEN { [s EXCEPT !.over = Tail(@)] } ELSE {})
              \union
            (IF c \in Clients /\ s.call[c] = "begun" /\ s.at[c] = id[2] /\ Place(id) = "inline"
                /\ s.outcome # None /\ ~s.isHeld /\ Matches(id, s.outcome)
             THEN { Done([s EXCEPT !.started = @ \union {id}], c, None) } ELSE {})
       [] e[1] = "block begins" ->
            IF IsFree(s) /\ s.queue # <<>> /\ Head(s.queue) = id /\ s.outcome = e[3]
            THEN { [s EXCEPT !.queue = Tail(@), !.running = <<id>>] } ELSE {}
       [] e[1] = "block ends" ->
            IF s.running # <<id>> \/ s.hasEnded \/ s.outcome # e[3] THEN {}
            ELSE IF Name(id) \notin {"peek", "peekAndWait"} /\ s.outcome = None THEN {}
            ELSE { [s EXCEPT !.hasEnded = TRUE] }

\* All events that the state allows.
Events(s) ==
  { <<"begin", <<c, s.at[c] + 1>>, None>> : c \in { d \in Clients : s.at[d] < Len(prog[d]) } }
    \union { <<"return", Current(s, c), s.answer[c]>> : c \in { d \in Clients : s.at[d] > 0 } }
    \union { <<"handler", id, None>> :
               id \in { i \in UNION { { <<c, n>> : n \in 1..Len(prog[c]) } : c \in DOMAIN prog } : Name(i) = "add" } }
    \union { <<"block begins", id, s.outcome>> : id \in { i \in { s.queue[n] : n \in 1..Len(s.queue) } : IsBlock(Name(i)) } }
    \union { <<"block ends", id, s.outcome>> : id \in { s.running[n] : n \in 1..Len(s.running) } }

-----------------------------------------------------------------------------
(* The states that explain a history.                                        *)

RECURSIVE Closure(_, _)
Closure(all, new) ==
  LET next == (UNION { Unseen(s) : s \in new }) \ all
  IN IF next = {} THEN all ELSE Closure(all \union next, next)

\* Those in which the queue may be after the events, if it may have been in one of these before.
RECURSIVE After(_, _)
After(states, events) ==
  IF events = <<>> THEN states
  ELSE After(UNION { Seen(s, Head(events)) : s \in Closure(states, states) }, Tail(events))

-----------------------------------------------------------------------------
(* The queue by itself.                                                      *)

Next == \/ \E s \in Unseen(lit) : lit' = s /\ UNCHANGED prog
        \/ \E e \in Events(lit) : \E s \in Seen(lit, e) : lit' = s /\ UNCHANGED prog

\* L1: one outcome, for ever.
OneOutcome == [][lit.outcome # None => lit'.outcome = lit.outcome]_<<prog, lit>>

\* L2: no handler of the other outcome starts.
OfTheOutcome == \A h \in lit.started : lit.outcome # None /\ Matches(h, lit.outcome)

\* L3: when all is over, every handler of the outcome has started or was removed.
NobodyIsForgotten ==
  (lit.outcome # None /\ lit.handlers = <<>> /\ lit.over = <<>> /\ lit.queue = <<>>
     /\ \A c \in Clients : lit.at[c] = Len(prog[c]) /\ lit.call[c] = "idle") =>
    \A c \in DOMAIN prog : \A i \in 1..Len(prog[c]) :
      (Name(<<c, i>>) = "add" /\ Matches(<<c, i>>, lit.outcome)) => <<c, i>> \in lit.started \union lit.removed

\* L5: while a block has the turn nobody else decides.
StableInspection ==
  [][(lit.running # <<>> /\ lit.outcome = None /\ lit'.outcome # None) => lit'.isHeld]_<<prog, lit>>
=============================================================================
