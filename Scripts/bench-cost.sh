#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Shows what the instructions of a counted row are spent on: bench-cost.sh <row> [--peer]
#
# TOP=50 lists 50 functions. Needs valgrind. The names of the rows are in Benchmarks/baseline.txt; private-queue and given-queue, whose counts
# vary a little with the threads, are there besides.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/counting.sh

prepare_counting > /dev/null
pieces=$(profile "$@")

# Each function's own instructions in the run of twice so many pieces, by object file and name.
awk -v pieces=$((2 * pieces)) '
  /^ob=/ { sub(/^ob=/, ""); id = $1; if (NF > 1) objects[id] = $2; object = objects[id]; next }
  /^fn=/ { sub(/^fn=/, ""); id = $1; sub(/^\([0-9]+\) ?/, ""); if ($0 != "") names[id] = $0; name = names[id]; next }
  /^c?(ob|fi|fl|fe|fn)=\([0-9]+\) / {
    # A name that is told where a call is: it holds from there on.
    kind = $0; sub(/=.*/, "", kind); sub(/^[^=]*=/, ""); id = $1; sub(/^\([0-9]+\) ?/, "")
    if (kind == "cfn") callee = names[id] = $0
    if (kind == "cob") objects[id] = $0
    next
  }
  /^cfn=/ { sub(/^cfn=/, ""); callee = names[$1]; next }
  /^calls=/ { sub(/^calls=/, ""); calls[callee] += $1; getline; next }
  /^[-+*0-9]/ && NF == 2 { cost[object " " name] += $2 }
  END {
    for (key in cost) printf "%.2f %s\n", cost[key] / pieces, key
    for (key in calls) printf "%.2f %s\n", calls[key] / pieces, key > "'"$folder/calls"'"
  }' "$folder/profile.3" | sort -rn > "$folder/functions"

awk '
  function part(object, name) {
    if (object ~ /libswift_Concurrency/) return "the runtime of tasks"
    if (name ~ /eakReference|SideTable|swift_weak|incrementSlow|posix_memalign/) return "weak references"
    if (name ~ /Metadata|getCache|LockingConcurrentMap|ConcurrentReadableHash|WaitQueue/) return "types made at run time (generics)"
    if (name ~ /swift_(begin|end)Access|AccessSet|SwiftTLSContext/) return "checks of exclusive access"
    if (name ~ /^(_int_)?(malloc|free|calloc|realloc)|_consolidate|unlink_chunk|^tcache|^sysmalloc|memalign/) return "allocation"
    if (name ~ /^swift_(slowAlloc|slowDealloc|allocObject|dealloc)/) return "allocation"
    if (name ~ /swift_(retain|release|bridgeObject|unowned)|RefCount|_swift_release/) return "reference counting"
    if (object ~ /libdispatch|libBlocksRuntime/) return "Dispatch"
    if (name ~ /RaceFreeFuture|^\$s15/) return "the library (with its locks, which are inlined)"
    if (object ~ /benchmarks$/) return "the benchmark, and what is shared with it"
    if (object ~ /libswift/) return "the rest of the standard library"
    return "the C library, threads and the kernel interface"
  }
  { name = substr($0, index($0, $2) + length($2) + 1); sums[part($2, name)] += $1; total += $1 }
  END {
    for (key in sums) printf "%9.0f %5.1f%%  %s\n", sums[key], 100 * sums[key] / total, key | "sort -rn"
    close("sort -rn")
    printf "%9.0f 100.0%%  instructions of one piece\n", total
  }' "$folder/functions"
awk '
  $2 ~ /^(malloc|calloc|swift_allocObject|swift_retain|swift_release)$/ { calls[$2] = $1 }
  END {
    printf "calls: %.1f × malloc or calloc, %.1f × swift_retain, %.1f × swift_release\n\n",
      calls["malloc"] + calls["calloc"], calls["swift_retain"], calls["swift_release"]
  }' "$folder/calls"
head -n "${TOP:-25}" "$folder/functions" | awk '
  { object = $2; sub(/.*\//, "", object); name = substr($0, index($0, $2) + length($2) + 1) }
  { printf "%9.1f  %s: %s\n", $1, object, name }' | swift demangle --simplified | cut -c 1-118
