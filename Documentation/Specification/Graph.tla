------------------------------- MODULE Graph -------------------------------
\* Copyright (c) 2026 the RaceFreeFuture authors
\* SPDX-License-Identifier: MIT

(* Prints the graph of states of the machine, a line for each step.  The     *)
(* test `SpecificationTests` takes the same steps with the code.             *)
(*                                                                           *)
(* A state is printed as `Shown`: what decides the further steps, and not    *)
(* what is only there for the claims.  It tells apart all states that TLC    *)
(* has to tell apart, and is its VIEW.                                       *)

EXTENDS Trees, Programs

\* A set in an order that is always the same.
InOrderOf(all, set) == SelectSeq(ToSeq(all), LAMBDA e : e \in set)

ShownFuture(m) == << m.phase, m.outcome, m.nodeless, m.list, m.sources, m.inLine, m.late, m.hasFirst >>

ShownThread(t) ==
  LET self == thread[t]
      at == << self.pc, self.at, self.job, self.then, self.says >>
      walk == << self.arrivals, self.marked, [f \in Futures |-> f \in self.joined], self.answers >>
  IN CASE self.pc = "walk" -> at \o walk
       [] self.pc = "enqueue neighbor" -> at \o walk \o << self.goes >>
       [] self.pc = "take" -> at \o walk \o << self.f >>
       [] self.pc \in {"cut", "hand over"} -> at \o walk \o << self.f, self.sources, self.step >>
       [] OTHER -> at

\* The threads in order: the clients, then the queues.
ThreadAt(n) == IF n <= Cardinality(Clients) THEN <<"client", n>> ELSE <<"queue", n - Cardinality(Clients)>>
NumberOf(t) == IF t[1] = "client" THEN t[2] ELSE t[2] + Cardinality(Clients)

Shown ==
  << [f \in Futures |-> ShownFuture(fut[f])], queue, [n \in 1..Cardinality(Threads) |-> ShownThread(ThreadAt(n))],
     [i \in 1..Cardinality(Handlers) |-> claim[ToSeq(Handlers)[i]]],
     InOrderOf(links, cut), answer >>

\* What doesn't change: the program, with the handlers that are there in the beginning first, and the names of handlers
\* and links.
Fixed == << [n \in 1..(Cardinality(Clients) + 1) |-> prog[n - 1]], ToSeq(Handlers), ToSeq(links) >>

\* Components one by one, so that each is printed once in the file.
RECURSIVE Joint(_)
Joint(s) == IF s = <<>> THEN "" ELSE ToString(Head(s)) \o ";" \o Joint(Tail(s))
Text(shown) ==
  Joint(shown[1]) \o Joint(shown[2]) \o Joint(shown[3]) \o Joint(<<shown[4], shown[5], shown[6]>>)

Prints(t) ==
  PrintT("step|" \o ToString(Fixed) \o "|" \o Text(Shown) \o "|" \o ToString(NumberOf(t)) \o "|" \o Text(Shown')
         \o "|" \o ToString(event'))

GNext ==
  \/ \E c \in Clients : ClientStep(c) /\ Prints(<<"client", c>>)
  \/ \E f \in Futures : WorkerStep(f) /\ Prints(<<"queue", f>>)
  \/ IsOver /\ UNCHANGED vars

\* `deciders` needn't be shown: it follows from phases and threads.
GView == << prog, links, Shown >>

-----------------------------------------------------------------------------
(* The programs and the graphs of links that are walked.                     *)

AnyCall ==
  << call("complete"), call("cancel"), call("tryComplete"), call("tryCancel"), call("peek"), call("blockComplete"),
     add("queue", "both"), add("inline", "both"), call("poll"), <<"remove", 1, 1>> >>

\* Each call against each, in the presence of one handler or of four; and two calls against one.
OneWalked ==
  { [c \in 0..2 |-> IF c = 0 THEN b ELSE << AnyCall[p[c]] >>] :
    b \in { OneInline, OneQueued, Mixed }, p \in { p \in (1..10) \X (1..10) : p[1] <= p[2] } }
    \union All({ OneQueued }, Each(2, Late \union Blocks), Each(1, Decisions))
    \union All({ Mixed }, Each(2, Removals \union { call("tryCancel") }), Each(1, { call("blockComplete") }))

\* Three futures in a line, one above two, one below two, and in a ring.
Line(k, l) == { <<1, 2, k>>, <<2, 3, l>> }
TreesWalked ==
  UNION { { Line(k, l), { <<1, 2, k>>, <<1, 3, l>> } } : k \in AllKinds, l \in AllKinds }
    \union { { <<1, 3, k>>, <<2, 3, l>> } : k \in Kinds, l \in Kinds \union {"child"} }
    \union Rings
LinesWalked == { Line(k, l) : k \in AllKinds, l \in AllKinds }
LineOfPasses == { Line("pass", "pass") }

NoLinks == { {} }
=============================================================================
