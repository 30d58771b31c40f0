#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that README, guides, examples and tests say the same.
#
# The README names the two commands that are run here, too. The program in the guide Getting started is the one in Examples; the guarantees in the README have the words that the
# guide gives them, and each has a test of the same number.
set -euo pipefail
cd "$(dirname "$0")/.."

guide=Sources/RaceFreeFuture/RaceFreeFuture.docc/Guarantees.md
start=Sources/RaceFreeFuture/RaceFreeFuture.docc/GettingStarted.md
example=Examples/Sources/first-token/main.swift
status=0

# All but the line in which it takes its arguments.
program=$(awk '/^await FirstToken/ { getline; next } /^import/ { begun = 1 } begun' "$example")
if [[ "$(cat "$start")" != *"$program"* ]]; then
  echo "$start doesn't show $example as it is" >&2
  status=1
fi

for command in 'swift test' 'swift run --package-path Examples fetch'; do
  grep -qxF "$command" README.md || {
    echo "the README doesn't name this command: $command" >&2
    status=1
  }
done

# One guarantee a line: number, title, text.
in_readme=$(awk '
  /^## / { inside = ($0 == "## Guarantees") }
  inside && /^- \*\*L/ { if (line) print line; line = substr($0, 5); sub(/\.\*\*/, ":", line); next }
  inside && /^  / { line = line " " substr($0, 3) }
  END { print line }' README.md)
in_guide=$(awk '
  /^### L[0-9]/ { line = substr($0, 5) ":"; waiting = 1; next }
  waiting && NF { line = line " " $0; open = 1; next }
  open { print line; waiting = open = 0 }' "$guide")
if ! diff <(echo "$in_readme") <(echo "$in_guide"); then
  echo "README.md (<) and $guide (>) say different things" >&2
  status=1
fi

while read -r number title; do
  grep -rqF "func \`$number " Tests || {
    echo "no test named after $number ${title%%:*}" >&2
    status=1
  }
done <<< "$in_readme"

if ((status == 0)); then
  echo "$(wc -l <<< "$in_readme") guarantees are the same in README, guide and tests"
fi
exit "$status"
