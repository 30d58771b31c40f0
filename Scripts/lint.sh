#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks the form of the source files, the words of guides and documentation comments, the list of locks and what is in
# them, the floors, and the list of faults.
#
# The rules of .swift-format, the two-line licence header, and the length of Swift files: at most 400 lines, tests
# 600. What a machine can repair: swift format --in-place --recursive Sources Tests
# The words of guides, tutorials, documentation comments and names of tests: the glossary in the guide Guarantees has the
# terms to use instead of those that are rejected here. That Documentation/Locks.md lists all files that take a lock, and
# that no lock guards a bare closure. That no room of the core uses what is above it. And that each fault in mutants.txt
# still has its place in the sources.
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
done < <(find Package.swift Sources Tests Scripts Examples Integrations Platforms Benchmarks FieldTests -name '.build*' -prune -o -name '*.swift' -print0 | sort -z)

other_files=()
while IFS= read -r -d '' file; do
  other_files+=("$file")
done < <(find Scripts .ci Tests Examples Integrations Platforms Benchmarks FieldTests -name '.build*' -prune -o \
  \( -name '*.sh' -o -name '*.c' -o -name '*.h' -o -name '*.py' -o -path '.ci/run' \) -print0 | sort -z)

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

# Two exit tests at a time, of all.
while IFS= read -r file; do
  grep -q '\.exitTests' "$file" || fail "$file: its exit tests lack the trait of Tests/TestSupport/ExitTests.swift"
done < <(grep -rl --include='*.swift' 'processExitsWith' Tests)

# Each file that takes a lock has its place in the proof, and no other.
for module in RaceFreeFuture RaceFreeFutureFoundation; do
  locking=$(cd "Sources/$module" && grep -rnE --include='*.swift' 'withLock|\.release \{' . |
    awk -F: '{ text = substr($0, length($1 FS $2 FS) + 1) } text !~ /^ *\/\// { print $1 }' |
    sed 's|^\./||' | grep -vx 'Internal/Support/Locked\.swift' | sort -u)
  proved=$(awk -v foundation="$([[ $module == *Foundation ]] && echo 1 || echo 0)" '
    /^## / { inside = /^## The proof/ && !foundation || /^## The module for Foundation/ && foundation }
    inside && /^\| `/ { split($0, parts, "`"); print parts[2] }
  ' Documentation/Locks.md | sort -u)
  diff <(echo "$locking") <(echo "$proved") >&2 || fail "Sources/$module (<) and Documentation/Locks.md (>) list different files"
done

# No room of the core uses what is above it.
python3 Scripts/floors.py || status=1

# Each fault changes a text that is there once.
python3 Scripts/mutants.py check Scripts/mutants.txt || status=1

sample=$(mktemp)
trap 'rm -f "$sample"' EXIT

# bare <file>...: prints the locks whose value is a closure, an optional one, or a tuple with one: each turn would wrap it
# in another one. One in a struct, an enum or an array stays as it is.
bare() {
  awk -v aliases="$(sed -nE 's/.*typealias ([A-Za-z]+) = .*->.*/\1/p' "$@" | sort -u | paste -sd '|' -)" '
    # What stands up to the end of the angle brackets, but for what is in square ones.
    function value(rest,   depth, square, found, i, c) {
      depth = 1
      for (i = 1; i <= length(rest) && depth > 0; i++) {
        c = substr(rest, i, 1)
        if (c == "[") square++
        else if (c == "]") square--
        else if (c == "<") depth++
        else if (c == ">" && substr(rest, i - 1, 1) != "-") depth--
        if (square == 0) found = found c
      }
      return found
    }
    function report(   before, text) {
      while (match(code, /(Locked|Mutex)(<|\([{])/)) {
        before = substr(code, 1, RSTART)
        code = substr(code, RSTART + RLENGTH - 1)
        line += gsub(/\n/, "", before)
        text = code ~ /^</ ? value(substr(code, 2)) : "->"
        if (text ~ /->/ || aliases != "" && text ~ "(^|[^[:alnum:]_])(" aliases ")([^[:alnum:]_]|$)") printf "%s:%d\n", name, line
      }
    }
    FNR == 1 { report(); name = FILENAME; code = ""; line = 1 }
    { sub(/\/\/.*/, ""); code = code $0 "\n" }
    END { report() }
  ' "$@"
}

printf '%s\n' 'typealias Act = () -> Void' 'let a = Locked<(() -> Void)?>(nil)' 'let b: Mutex<Act>' 'let c = Locked({ })' \
  'let d = Locked<(' '  Int, () -> Int' ')>((1, { 1 }))' \
  'let e = Locked<[() -> Void]>([])' 'let f: Mutex<[String: Act]> // Mutex<Act>' 'let g = Locked<State>(State { 1 })' > "$sample"
if [[ $(bare "$sample" | cut -d: -f2 | xargs) != "2 3 4 5" ]]; then
  fail "the check of bare closures doesn't see what it should"
fi
found=$(bare "${swift_files[@]}")
if [[ -n $found ]]; then fail "a lock guards a bare closure; see Locked.swift:"$'\n'"$found"; fi

# Prose, documentation comments and the names of tests go without these words.
rejected='in line|time-outs?|hook(s|ed)? (it |them )?up|whoever|whomever|circles?|tak(en|es) back|hand(s|ed)? (it |them )?over'
rejected+='|for ever|all the same|on the spot|in vain|anew|there and then|never not|straight away'

rejected="(^|[^[:alnum:]_-])($rejected)([^[:alnum:]_-]|\$)"

# words <file>...: prints the lines that have such a word, or the end of one that began on the line before, but for code
# and generated tables.
words() {
  awk -v list="$rejected" '
    FNR == 1 { fenced = generated = 0; last = ""; swift = FILENAME ~ /\.swift$/ }
    swift && !/^ *\/\/\// { last = ""; next }
    /^[ \/]*```/ { fenced = !fenced; last = ""; next }
    /^<!-- .*: generated -->$/ { generated = 1 }
    /^<!-- .*: end -->$/ { generated = 0 }
    fenced || generated { next }
    { line = tolower($0); gsub(/`[^`]*`/, "`", line); gsub(/^[ \/]+| +$/, "", line) }
    line ~ list || last !~ list && last " " line ~ list { printf "%s:%d: %s\n", FILENAME, FNR, $0 }
    { last = line }
  ' "$@"
}

# It sees a word in prose, also across lines, and none in code or inside of another word.
printf '%s\n' 'It stands in line.' '`in line`' 'one inline handler' '```' 'in line' '```' 'All' '  the same.' > "$sample"
if [[ $(words "$sample" | wc -l) -ne 2 ]]; then
  fail "the check of words doesn't see what it should"
fi

pages=()
while IFS= read -r -d '' file; do
  pages+=("$file")
done < <(find ./*.md Benchmarks Documentation Examples Integrations Sources -name '.build*' -prune -o \
  \( -name '*.md' -o -name '*.tutorial' \) -print0 | sort -z)
sources=()
for file in "${listed[@]}"; do
  if [[ $file == Sources/* ]]; then sources+=("$file"); fi
done
found=$(
  words "${pages[@]}" "${sources[@]}"
  grep -rnoE --include='*.swift' 'func `[^`]+`|@(Test|Suite)\("[^"]+"' Tests Examples/Tests Integrations/Tests | grep -iE "$rejected" || true
)
if [[ -n $found ]]; then fail "words that the glossary in Guarantees.md replaces:"$'\n'"$found"; fi

if ((status == 0)); then
  echo "${#swift_files[@]} Swift files and ${#pages[@]} pages are in form"
fi
exit "$status"
