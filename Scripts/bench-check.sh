#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that nothing takes over 10 % more instructions or atomic operations than before (UPDATE=1: a new baseline).
#
# Instructions, unlike time, don't depend on what else the machine does: two runs of the same program agree within a
# fraction of a percent, most of them to the last one. An atomic operation is one instruction, and takes the time of some
# twenty, so these are also counted by themselves. Both depend on the architecture and the compiler, so the check
# is skipped where these differ from the baseline's. So it is without valgrind, whose callgrind counts.
# Of other tools, package-benchmark has thresholds, but reads the processor's own counters, which containers often don't
# give away.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/counting.sh

baseline=Benchmarks/baseline.txt
limit=10 # percent
skip() {
  echo "skipped: bench-check: $1"
  exit 0
}

[[ $(uname -s) == Linux ]] || skip "its baseline was made on Linux, and this is $(uname -s)"
command -v valgrind > /dev/null || skip "valgrind isn't installed (on Debian: apt-get install valgrind)"

machine="$(uname -m), $(swift --version 2> /dev/null | grep -o 'Swift version [0-9.]*')"
library=$(getconf GNU_LIBC_VERSION 2> /dev/null || echo "C library of unknown version")
if [[ -z ${UPDATE:-} ]]; then
  made_on=$(sed -n 's/^# made on: //p' "$baseline")
  [[ $made_on == "$machine; "* ]] ||
    skip "the baseline was made on $made_on, and this is $machine; $library. A new one: make bench-check UPDATE=1"
  [[ $made_on == *"; $library" ]] ||
    echo "note: the baseline was made on $made_on; here malloc and free are those of $library"
fi

prepare_counting

# compare <file> [<row>]: prints a table; fails if a row takes too much, or is in one of the two files only.
compare() {
  join -a 1 -a 2 -e - -o 0,1.2,2.2,1.4,2.3 <(grep "^${2:+$2 }[^#]" "$baseline" | sort) <(sort "$1") | awk -v limit="$limit" '
    function change(before, now) { return before > 0 ? 100 * (now / before - 1) : 0 }
    BEGIN {
      printf "%-28s %12s %12s %9s %9s %9s %9s\n", "one", "instructions", "now", "change", "atomic", "now", "change"
    }
    {
      instructions = change($2, $3)
      # Half of one is nothing: it comes and goes with the allocator.
      atomic = $5 > $4 + 0.5 || $5 < $4 - 0.5 ? change($4, $5) : 0
      isWrong = $2 == "-" || $3 == "-" || instructions > limit || atomic > limit
      note = isWrong ? "  wrong" : instructions < -limit || atomic < -limit ? "  better: renew the baseline" : ""
      printf "%-28s %12s %12s %+8.1f%% %9s %9s %+8.1f%%%s\n", $1, $2, $3, instructions, $4, $5, atomic, note
      failed += isWrong
    }
    END { exit failed > 0 }'
}

read -r -d '' -a rows < <("$program" --list-counted) || true
if [[ -n ${UPDATE:-} ]]; then
  {
    echo "# One piece of each counted row: instructions, ours and the peer's; atomic operations, ours and the peer's."
    echo "# Written by: make bench-check UPDATE=1"
    echo "# made on: $machine; $library"
    for row in "${rows[@]}"; do
      read -r ours atomic < <(count "$row")
      read -r peer peer_atomic < <(count "$row" --peer)
      printf '%-28s %12s %12s %9s %9s\n' "$row" "$ours" "$peer" "$atomic" "$peer_atomic"
    done
  } > "$folder/baseline"
  mv "$folder/baseline" "$baseline"
  cat "$baseline"
  exit 0
fi

# A check that can't fail is worth nothing: with a fifth more work it has to.
seeded=handler-1-complete
echo "$seeded $(BENCHMARKS_SEEDED_FAULT=1.2 count "$seeded")" > "$folder/seeded"
if compare "$folder/seeded" "$seeded" > "$folder/seeded.table"; then
  cat "$folder/seeded.table" >&2
  echo "bench-check doesn't find a seeded fault of 20 %" >&2
  exit 1
fi

for row in "${rows[@]}"; do echo "$row $(count "$row")"; done > "$folder/now"
compare "$folder/now" || {
  echo "Something takes over $limit % more than before, or has no baseline." >&2
  echo "If that is meant: make bench-check UPDATE=1, and say in the commit what it is paid for." >&2
  exit 1
}
echo "nothing takes over $limit % more instructions or atomic operations than before; a seeded fault of 20 % was found"
