#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that an operation takes as many instructions beside 10,000 others as beside 10, and writes .build-reports/growth.md.
#
# growth.sh [<words of a row>]: those rows only. LARGEST=100000 goes on to that many. Rows whose documentation says how
# they grow are shown, and not checked. Needs valgrind, whose callgrind counts: about two minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/clients.sh

limit=1.5 # the most that a row may grow, from its least count to that beside most others
command -v valgrind > /dev/null || {
  echo "skipped: growth: valgrind isn't installed (on Debian: apt-get install valgrind)"
  exit 0
}

swift build "${release[@]}" --package-path Benchmarks --product growth
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Older versions of valgrind can't read the debug information that Swift writes, and nobody needs it here.
program=$folder/growth
cp "$(swift build "${release[@]}" --package-path Benchmarks --show-bin-path)/growth" "$program"
strip --strip-debug "$program"

# One process for each row, because what others left in the heap would count: profile.<2 k> is that of the line k of what
# the program prints, and the one before is that of its warm-up. Which of two members a drain waits for first depends on
# their hash values, and what its end costs on that: those are the same in each process.
export SWIFT_DETERMINISTIC_HASHING=1
measure() {
  local line=0
  rm -f "$folder"/profile*
  valgrind --tool=callgrind --dump-line=no --callgrind-out-file="$folder/profile" \
    --zero-before=begin_counting --dump-after=end_counting \
    "$program" "${LARGEST:-10000}" "$1" > "$folder/counts" 2> "$folder/log" < /dev/null || {
    cat "$folder/log" >&2
    exit 1
  }
  while IFS= read -r text; do
    line=$((line + 2))
    printf '%s\t%s\n' "$(sed -n 's/^totals: //p' "$folder/profile.$line")" "$text"
  done < "$folder/counts"
}

"$program" 0 "${1:-}" > "$folder/rows"
while IFS= read -r row; do measure "$row"; done < "$folder/rows" > "$folder/all"

# A table of instructions a piece; fails if a row that has to be level isn't.
table() {
  awk -F '\t' -v limit="$limit" '
    # instructions, row, others, pieces, why it may grow
    !($2 in least) { rows[++count] = $2; least[$2] = $1 / $4; reason[$2] = $5 }
    {
      cost[$2, $3] = last[$2] = $1 / $4
      if (last[$2] < least[$2]) least[$2] = last[$2]
      if (!($3 in known)) { known[$3]; sizes[++widths] = $3 }
    }
    END {
      head = "| instructions of"; rule = "| ---"
      for (s = 1; s <= widths; s++) { head = head sprintf(" | n = %d", sizes[s]); rule = rule " | ---:" }
      print head " | |"
      print rule " | --- |"
      for (r = 1; r <= count; r++) {
        row = rows[r]; text = "| " row
        for (s = 1; s <= widths; s++) text = text ((row, sizes[s]) in cost ? sprintf(" | %.0f", cost[row, sizes[s]]) : " | –")
        note = last[row] <= limit * least[row] ? "level" : reason[row]
        if (note == "") { note = "**grows**"; failed = 1 }
        print text " | " note " |"
      }
      exit failed
    }' "$folder/all"
}

isLevel=true
table > "$folder/table" || isLevel=false
mkdir -p .build-reports
tee .build-reports/growth.md < "$folder/table"
if ! $isLevel; then
  echo "A row grows by more than a factor of $limit, and its documentation doesn't say so." >&2
  exit 1
fi
echo "nothing that has to be level grows by more than a factor of $limit"
