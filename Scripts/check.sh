#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs checks, each the name of a script here: check.sh <check> ... [: <check> ...] ...
#
# The first group runs first, and then each of the others beside the others, its checks one after the other: so two cores
# are busy while a test waits or a compiler has one thing to do. What a check prints comes in one piece, at its end.
# After a failure no other check begins. At the end it says what was run, how long that took, and what was skipped and
# why: the lines "skipped: <what>: <why>" of the checks. In CI, and if MAY_SKIP is set, only that may be skipped whose name is in MAY_SKIP.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
lanes=()
end() {
  for lane in ${lanes[@]+"${lanes[@]}"}; do kill -- "-$lane" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM
touch "$folder/summary" "$folder/skipped"
start=$SECONDS

# fail <check> <why>
fail() {
  echo "=== $1 FAILED $2. It runs alone by: Scripts/$1.sh"
  touch "$folder/failed"
}

# report <check> <seconds> <status>: prints what it printed, and takes note of how it ended.
report() {
  local log=$folder/$1.log processor line name note=
  echo
  echo "=== $1"
  cat "$log"
  if (($3 != 0)); then
    # Once more at the end, because logs are cut at their beginning.
    echo
    echo "=== what failed"
    grep -E -A 3 '✘|error:|WARNING: .*Sanitizer|Fatal error' "$log" | tail -n 60 || true
    echo
    fail "$1" "after $2 s"
    return
  fi
  while IFS= read -r line; do
    echo "$line" >> "$folder/skipped"
    name=${line%%:*}
    if [[ $name == "$1" ]]; then note=", skipped"; fi
    if [[ -n ${CI:-}${MAY_SKIP+x} && " ${MAY_SKIP:-} " != *" $name "* ]]; then fail "$1" "because only this may be skipped: ${MAY_SKIP:-nothing}"; fi
  done < <(sed -n 's/^skipped: //p' "$log")
  processor=$(awk -F '[ms ]+' '{ for (i = 1; i < NF; i += 2) sum += 60 * $i + $(i + 1) } END { printf "%d", sum }' \
    "$folder/$1.times")
  printf '%-14s %5d s, of the processor %5d s%s\n' "$1" "$2" "$processor" "$note" | tee -a "$folder/summary"
}

# Runs checks one after the other, until one fails anywhere.
lane() {
  local check began status
  for check in "$@"; do
    if [[ -f $folder/failed ]]; then return; fi
    began=$SECONDS
    status=0
    echo "=== $check begins ($(date '+%H:%M:%S'))"
    # In a process of its own, whose children's time is that of the check.
    (
      status=0
      "Scripts/$check.sh" > "$folder/$check.log" 2>&1 < /dev/null || status=$?
      times > "$folder/$check.times"
      exit "$status"
    ) || status=$?
    # One report at a time.
    until mkdir "$folder/reporting" 2> /dev/null; do sleep 0.1; done
    report "$check" $((SECONDS - began)) "$status"
    rmdir "$folder/reporting"
  done
}

group=()
isFirst=1
for word in "$@" :; do
  if [[ $word != : ]]; then
    group+=("$word")
  elif ((isFirst)); then
    lane ${group[@]+"${group[@]}"}
    isFirst=0
    group=()
  else
    # A process group of its own, which an interrupt ends.
    set -m
    lane ${group[@]+"${group[@]}"} < /dev/null &
    set +m
    lanes+=($!)
    group=()
  fi
done
for lane in ${lanes[@]+"${lanes[@]}"}; do wait "$lane" || touch "$folder/failed"; done
lanes=()
if [[ -f $folder/failed ]]; then
  echo "=== something failed: see above" >&2
  exit 1
fi

echo
echo "=== all passed"
cat "$folder/summary"
printf '%-14s %5d s\n' total $((SECONDS - start))
if [[ -s $folder/skipped ]]; then
  echo "=== skipped"
  cat "$folder/skipped"
else
  echo "=== nothing was skipped"
fi
