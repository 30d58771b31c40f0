#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs checks one after the other and stops at the first that fails: check.sh <check> ..., each the name of a script
# here.
#
# At its end it says what was run, how long that took, and what was skipped and why: the lines "skipped: <what>: <why>"
# that the checks print. In CI only that may be skipped whose name is in MAY_SKIP.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log" "$log.times"' EXIT
start=$SECONDS
summary=()
skipped=()

# fail <check> <why>
fail() {
  echo "=== $1 FAILED $2. It runs alone by: Scripts/$1.sh" >&2
  exit 1
}

# Sets `processor` to the seconds that the processor has worked for this script and its children so far.
read_processor() {
  times > "$log.times"
  processor=$(awk -F '[ms ]+' '{ for (i = 1; i < NF; i += 2) sum += 60 * $i + $(i + 1) } END { printf "%d", sum }' \
    "$log.times")
}

for check in "$@"; do
  began=$SECONDS
  read_processor
  worked=$processor
  echo
  echo "=== $check ($(date '+%H:%M:%S'))"
  if ! "Scripts/$check.sh" 2>&1 | tee "$log"; then
    # Once more at the end, because logs are cut at their beginning.
    echo
    echo "=== what failed"
    grep -E -A 3 '✘|error:|WARNING: .*Sanitizer|Fatal error' "$log" | tail -n 60 || true
    echo
    fail "$check" "after $((SECONDS - began)) s"
  fi
  note=
  while IFS= read -r line; do
    skipped+=("$line")
    name=${line%%:*}
    if [[ $name == "$check" ]]; then note=", skipped"; fi
    if [[ -n ${CI:-} && " ${MAY_SKIP:-} " != *" $name "* ]]; then fail "$check" "because CI runs everything: $line"; fi
  done < <(sed -n 's/^skipped: //p' "$log")
  read_processor
  summary+=("$(printf '%-14s %5d s, of the processor %5d s%s' \
    "$check" $((SECONDS - began)) $((processor - worked)) "$note")")
done

echo
echo "=== all passed"
printf '%s\n' "${summary[@]}"
printf '%-14s %5d s, of the processor %5d s\n' total $((SECONDS - start)) "$processor"
if ((${#skipped[@]} > 0)); then
  echo "=== skipped"
  printf '%s\n' "${skipped[@]}"
else
  echo "=== nothing was skipped"
fi
