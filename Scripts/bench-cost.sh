#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Shows what the instructions of a counted row are spent on: bench-cost.sh <row> [--peer]
#
# TOP=50 lists 50 functions. The names of the rows are in Benchmarks/baseline.txt; given-queue and private-queue-1,
# whose counts vary a little with the threads, are there besides. bench-cost.sh --table prints the table of
# Benchmarks/README.md. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/counting.sh

# analyse <row> [--peer]: writes, for one piece of the row, the instructions of each part to $folder/parts, those of
# each function to $folder/functions, and the number of its calls to $folder/calls.
analyse() {
  local pieces
  pieces=$(profile "$@")
  # Each function's own instructions in the run of twice so many pieces, by object file and name.
  awk -v pieces=$((2 * pieces)) -v calls_file="$folder/calls" '
    # A name is told where it comes first, which may be in a call; after that it is a number.
    function read_name(names) {
      sub(/^[^=]*=/, ""); number = $1; sub(/^\([0-9]+\) ?/, "")
      if ($0 != "") names[number] = $0
      return names[number]
    }
    /^ob=/ { object = read_name(objects); next }
    /^cob=/ { read_name(objects); next }
    /^fn=/ { name = read_name(functions); next }
    /^cfn=/ { callee = read_name(functions); next }
    # The next line has what the callee took.
    /^calls=/ { sub(/^calls=/, ""); calls[callee] += $1; getline; next }
    /^[-+*0-9]/ && NF == 2 { cost[object " " name] += $2 }
    END {
      for (key in cost) printf "%.2f %s\n", cost[key] / pieces, key
      for (key in calls) printf "%.2f %s\n", calls[key] / pieces, key > calls_file
    }' "$folder/profile.3" | sort -rn > "$folder/functions"
  awk '
    function part(object, name) {
      if (object ~ /libswift_Concurrency/) return "the runtime of tasks"
      if (name ~ /eakReference|SideTable|swift_weak|incrementSlow|posix_memalign/) return "weak references"
      if (name ~ /Metadata|getCache|LockingConcurrentMap|ConcurrentReadable|WaitQueue/) return "types made at run time"
      if (name ~ /swift_(begin|end)Access|AccessSet|SwiftTLSContext/) return "checks of exclusive access"
      if (name ~ /^(_int_)?(malloc|free|calloc|realloc)|_consolidate|unlink_chunk|sysmalloc/) return "allocation"
      if (name ~ /^swift_(slowAlloc|slowDealloc|allocObject|dealloc)/) return "allocation"
      if (name ~ /swift_(retain|release|bridgeObject|unowned)|RefCount/) return "reference counting"
      if (object ~ /libdispatch|libBlocksRuntime/) return "Dispatch"
      if (name ~ /^[$]s14RaceFreeFuture/) return "the library itself, locks included"
      if (object ~ /benchmarks$/) return "the benchmark"
      return "the rest"
    }
    { sums[part($2, substr($0, index($0, $2) + length($2) + 1))] += $1 }
    END { for (key in sums) printf "%.2f %s\n", sums[key], key }' "$folder/functions" | sort -rn > "$folder/parts"
}

# The columns of the README's table: <heading>=<row>, or <heading>=<row>-<row>/<number> for a share of a difference. One
# stage of a chain is a ninth of what ten have more than one.
columns=(
  "one inline handler=handler-1-complete"
  "linked child=linked-complete"
  "one of any of 100=any-of-100/100"
  "map stage=map-chain-10-map-chain-1/9"
  "await pending=await-pending"
  "await pending value=await-pending-value"
  "lazy=lazy"
  "task=task"
  "private queue=private-queue-1"
)

# Prints the table of the README.
table() {
  local column row side
  for column in "${columns[@]}"; do
    row=${column#*=}
    row=${row%/*}
    for row in ${row/-map-chain-1/ map-chain-1}; do
      for side in "" --peer; do
        analyse "$row" ${side:+"$side"}
        sed "s/^/$row$side /" "$folder/parts"
        awk -v row="$row$side" '
          $2 == "malloc" || $2 == "calloc" { allocations += $1 }
          $2 ~ /^swift_retain/ { retains += $1 }
          END { print row, allocations + 0, "calls of malloc"; print row, retains + 0, "calls of swift_retain" }
        ' "$folder/calls"
      done
    done
  done | awk -v columns="$(printf '%s;' "${columns[@]}")" '
    { value = $2; row = $1; $1 = $2 = ""; part = substr($0, 3); cost[row, part] = value }
    part !~ /^calls/ { cost[row, "all"] += value }
    function cell(column, part, side, share, rows) {
      sub(/^[^=]*=/, "", column)
      if (split(column, share, "/") == 1) share[2] = 1
      rows = share[1]
      if (sub(/-map-chain-1$/, "", rows)) return (cost[rows side, part] - cost["map-chain-1" side, part]) / share[2]
      return cost[rows side, part] / share[2]
    }
    function line(title, part, side, text) {
      text = "| " title " |"
      for (i = 1; i <= count; i++) text = text sprintf(" %.0f |", cell(list[i], part, side))
      print text
    }
    END {
      count = split(columns, list, ";") - 1
      titles = "| instructions |"
      rule = "| --- |"
      for (i = 1; i <= count; i++) {
        titles = titles " " substr(list[i], 1, index(list[i], "=") - 1) " |"
        rule = rule " ---: |"
      }
      print titles
      print rule
      parts = split("allocation;reference counting;weak references;checks of exclusive access;" \
        "types made at run time;the library itself, locks included;the runtime of tasks;Dispatch;" \
        "the benchmark;the rest;all;calls of malloc;calls of swift_retain", names, ";")
      for (p = 1; p <= parts; p++) line(names[p], names[p])
      line("the peer: all", "all", "--peer")
      line("the peer: calls of malloc", "calls of malloc", "--peer")
    }'
}

prepare_counting > /dev/null
if [[ ${1:-} == --table ]]; then
  table
  exit 0
fi
analyse "$@"
awk '
  { sum += $1; instructions[NR] = $1; $1 = ""; part[NR] = $0 }
  END {
    for (i = 1; i <= NR; i++) printf "%9.0f %5.1f%% %s\n", instructions[i], 100 * instructions[i] / sum, part[i]
    printf "%9.0f 100.0%%  instructions of one piece\n", sum
  }' "$folder/parts"
awk '
  $2 ~ /^(malloc|calloc|swift_retain|swift_release)$/ { calls[$2] = $1 }
  END {
    printf "calls: %.1f × malloc or calloc, %.1f × swift_retain, %.1f × swift_release\n\n",
      calls["malloc"] + calls["calloc"], calls["swift_retain"], calls["swift_release"]
  }' "$folder/calls"
head -n "${TOP:-25}" "$folder/functions" | awk '
  { object = $2; sub(/.*\//, "", object); name = substr($0, index($0, $2) + length($2) + 1) }
  { printf "%9.1f  %s: %s\n", $1, object, name }' | swift demangle --simplified | cut -c 1-118
