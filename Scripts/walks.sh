#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks how many lines of the core run in five calls, and lists their files in .build-reports/walks.md.
#
# Each walk is gone by a program that is compiled for coverage, so lines are counted that really run. A walk that is longer
# than its limit fails. A limit is lowered, never raised, but for what a feature takes that was asked for: lower it by what
# the walk is below.
set -euo pipefail
cd "$(dirname "$0")/.."

# Of each walk the most lines that run, and its title in the report.
limits='handler 376 One handler
link 499 One cancellation through a tree
value 686 One value through `map`
scope 962 One member of a scope
deadline 558 One deadline'

tools=$(dirname "$(readlink -f "$(command -v swift)")")
options=(--package-path Benchmarks --product walks -q
  -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping -Xcc -DRFF_COVERAGE)
swift build "${options[@]}"
program=$(swift build "${options[@]}" --show-bin-path)/walks
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# files <walk>: the files through which it leads, each with its lines of code that run, and all of them.
files() {
  LLVM_PROFILE_FILE="$folder/$1.profraw" timeout 60 "$program" "$1"
  "$tools/llvm-profdata" merge "$folder/$1.profraw" -o "$folder/$1.profdata"
  # SF: a file; DA: the number of a line, and how often it has run. A comment in the middle of what runs is listed, too.
  "$tools/llvm-cov" export -format=lcov -instr-profile "$folder/$1.profdata" "$program" "$PWD/Sources/RaceFreeFuture" |
    awk -F '[:,]' '
      /^SF:/ {
        path = file = $2
        sub(".*/Sources/RaceFreeFuture/", "", file)
        split("", isCode)
        all[file] = 0
        for (line = 1; (getline text < path) > 0; line++) if (text !~ /^ *(\/\/.*)?$/) { isCode[line]; all[file]++ }
        close(path)
      }
      /^DA:/ && $3 > 0 && $2 in isCode { ran[file]++ }
      END { for (file in ran) print file, ran[file], all[file] }' |
    sort
}

failed=0
{
  echo "| walk | files | of these not on the first | lines that run | code lines of the files |"
  echo "| --- | ---: | ---: | ---: | ---: |"
} > "$folder/table"
while read -r walk most title; do
  files "$walk" > "$folder/$walk"
  read -r count ran all < <(awk '{ ran += $2; all += $3 } END { print NR, ran, all }' "$folder/$walk")
  further=$(join -v 1 "$folder/$walk" "$folder/handler" | wc -l)
  echo "| $title | $count | $further | $ran | $all |" >> "$folder/table"
  if ((ran > most)); then
    echo "$walk: $ran lines, and at most $most are wanted" >&2
    failed=1
  elif ((ran < most)); then
    echo "$walk: $((most - ran)) lines below its limit"
  fi
  printf '\n## %s\n\n| file | lines that run | code lines |\n| --- | ---: | ---: |\n' "$title" >> "$folder/files"
  sed -E 's/^(.*) (.*) (.*)$/| `\1` | \2 | \3 |/' "$folder/$walk" >> "$folder/files"
done <<< "$limits"
cat "$folder/table"
mkdir -p .build-reports
cat "$folder/table" "$folder/files" > .build-reports/walks.md
exit $failed
