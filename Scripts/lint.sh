#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks the form of the source files.
#
# The rules of .swift-format, the two-line licence header, and the length of Swift files: at most 400 lines, tests
# 600. What a machine can repair: swift format --in-place --recursive Sources Tests
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
fail() {
  echo "$1" >&2
  status=1
}

swift_files=()
while IFS= read -r -d '' file; do
  swift_files+=("$file")
done < <(find Package.swift Sources Tests Scripts Examples Benchmarks -name '.build*' -prune -o -name '*.swift' -print0 | sort -z)

other_files=()
while IFS= read -r -d '' file; do
  other_files+=("$file")
done < <(find Scripts .ci Tests Examples Benchmarks -name '.build*' -prune -o \
  \( -name '*.sh' -o -name '*.c' -o -name '*.h' -o -path '.ci/run' \) -print0 | sort -z)

swift format lint --strict --parallel "${swift_files[@]}" || status=1

# Those that a tutorial shows go without.
listed=()
for file in "${swift_files[@]}"; do
  if [[ $file != *.docc/* ]]; then listed+=("$file"); fi
done

# At the top, or behind the lines that have to come first (`#!`, `// swift-tools-version`) or name a manifest.
for file in "${listed[@]}" "${other_files[@]}"; do
  head -n 5 "$file" | grep -A1 -E '^(//|#) Copyright \(c\) 20[0-9]{2} the RaceFreeFuture authors$' |
    grep -q -E '^(//|#) SPDX-License-Identifier: MIT$' || fail "$file: the two-line licence header is missing"
done

for file in "${swift_files[@]}"; do
  lines=$(wc -l < "$file")
  most=400
  if [[ $file == *Tests/* ]]; then most=600; fi
  if ((lines > most)); then fail "$file: $lines lines, and $most are enough"; fi
done

if ((status == 0)); then
  echo "${#swift_files[@]} Swift files are in form"
fi
exit "$status"
