#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that README, guides, examples and tests say the same.
#
# The README names the two commands that are run here, too. The program in the guide Getting started is the one in
# Examples. The code in the guide Cookbook is in Examples/Integrations and that of the guide Apps in tests, but for its width and
# documentation comments, and recipes in other guides are files beside their tests. The guarantees in the README
# are in the guide, each with a text, and each of the guide has a test of the same number. The first page of the site has
# a link to each guide.
set -euo pipefail
cd "$(dirname "$0")/.."

guide=Sources/RaceFreeFuture/RaceFreeFuture.docc/Guarantees.md
start=Sources/RaceFreeFuture/RaceFreeFuture.docc/GettingStarted.md
example=Examples/Sources/first-token/main.swift
status=0
fail() {
  echo "$1" >&2
  status=1
}

# Text without documentation comments, and without what a change of the width changes.
squeezed() { sed -E '/^ *\/\/\//d; s,^ *//,,' | tr -d ' \n'; }

program=$(sed -n '/^import/,$p' "$example" | squeezed)
[[ "$(squeezed < "$start")" == *"$program"* ]] || fail "$start doesn't show $example as it is"

# shows <guide> <folder>...: each of the guide's blocks of code is in files of the folders.
shows() {
  local sources block shown=0
  sources=$(find "${@:2}" -name '*.swift' -exec cat {} + | squeezed)
  while IFS= read -r block; do
    [[ $sources == *"$block"* ]] || fail "$1: not in ${*:2}: $block"
    shown=$((shown + 1))
  done < <(sed -E 's/^ *```swift$/\x01/; s/^ *```$/\x02/' "$1" | squeezed | grep -oP '\x01[^\x02]*' | tr -d '\001')
  ((shown > 0)) || fail "$1 shows no code"
}
shows Sources/RaceFreeFuture/RaceFreeFuture.docc/Cookbook.md Examples/Integrations/Sources Examples/Integrations/Tests
shows Sources/RaceFreeFutureFoundation/RaceFreeFutureFoundation.docc/Apps.md Tests/RaceFreeFutureFoundationTests/Apps

# quotes <guide> <file>: the guide has the file's code, from its first import, as it is.
quotes() {
  local recipe
  recipe=$(sed -n '/^import/,$p' "$2" | squeezed)
  [[ -n $recipe && "$(squeezed < "$1")" == *"$recipe"* ]] || fail "$1 doesn't show $2 as it is"
}
guides=Sources/RaceFreeFuture/RaceFreeFuture.docc
quotes $guides/Deadlines.md Tests/RaceFreeFutureTests/Async/WatchdogRecipe.swift
quotes $guides/ValuesAndFailures.md Tests/RaceFreeFutureTests/Values/PartialResultsRecipe.swift
quotes $guides/Scopes.md Tests/RaceFreeFutureTests/Scopes/EndInOrderRecipe.swift
quotes $guides/Scopes.md Tests/RaceFreeFutureTests/Async/TransactionRecipe.swift
quotes $guides/MigratingFromPromiseKit.md Tests/RaceFreeFutureTests/Values/MainActorStepRecipe.swift
transfers=Tests/RaceFreeFutureFoundationTests/URLLoading
quotes $guides/BackgroundAndLazy.md Tests/RaceFreeFutureTests/Values/BlockingRecipe.swift
foundation=Sources/RaceFreeFutureFoundation/RaceFreeFutureFoundation.docc
quotes $foundation/StoppingDownloads.md $transfers/StopManyRecipe.swift
quotes $foundation/StoppingDownloads.md $transfers/ClosingRecipe.swift
quotes $foundation/StoppingDownloads.md $transfers/PausingRecipe.swift
testing=Sources/RaceFreeFutureTesting/RaceFreeFutureTesting.docc
recipes=Tests/RaceFreeFutureTestingTests/Exploring/Recipes
quotes $testing/FromSwiftConcurrencyExtras.md $recipes/SuggestionsRecipe.swift
quotes $testing/OnAnExistingSuite.md $recipes/UploadQueueRecipe.swift
quotes $testing/OnAnExistingSuite.md $recipes/UploadQueueXCTests.swift
quotes $foundation/Operations.md Tests/RaceFreeFutureFoundationTests/Operations/StepsRecipe.swift

# The first example of all, in a documentation comment.
future=Sources/RaceFreeFuture/Kernel/Future.swift
first=$(sed -n '/^func/,$p' $transfers/FirstExample.swift | tr -d ' \n')
[[ -n $first && "$(sed -n 's,^///,,p' $future | tr -d ' \n')" == *"$first"* ]] ||
  fail "$future doesn't show $transfers/FirstExample.swift as it is"

for command in 'swift test -q' 'swift run --package-path Examples fetch'; do
  grep -qxF "$command" README.md || fail "the README doesn't name this command: $command"
done

# Those that have the name of their module are its own page, and those in Types list topics.
for article in Sources/*/*.docc/*.md; do
  module=$(basename "$(dirname "$article")" .docc)
  name=$(basename "$article" .md)
  [[ $name == "$module" ]] || grep -qxF -- "- <doc:/$module/$name>" Documentation/Site.docc/Start.md ||
    fail "Documentation/Site.docc/Start.md doesn't link $article"
done

lines=$(wc -l < README.md)
((lines <= 110)) || fail "README.md: $lines lines, and 110 are enough"

# The README's figures are those of the tables: what the README says, by a pattern, becomes what the page has to say.
figures='s/^- SCTBench.*: ([0-9]+) of 27 are.*/of 27: default search \1, /p
s/^- GoKer.*: ([0-9]+) of ([0-9]+), no alarm.*goleak ([0-9]+)\).*/| all | \2 | \1 | 0 | \3 | /p
s/^- GenMC.*in ([0-9]+) of ([0-9]+) rows; ([0-9]+) fewer, ([0-9]+) more, ([0-9]+) unfinished.*/RC11: \1 of \2 rows have GenMC'"'"'s number of executions, \3 fewer, \4 more, \5 aren/p
s/^- Published races.*: ([0-9]+) of ([0-9]+) .*finds ([0-9]+), plain runs ([0-9]+), a random executor ([0-9]+) .*/\2 kernels; found by the explorer: \1, by race: \3, by plain runs: \4, by a random executor: \5,/p'
claims=$(sed -nE "$figures" README.md)
(($(wc -l <<< "$claims") == 4)) || fail "README.md hasn't a line of figures for each of four tables"
while IFS= read -r claim; do
  grep -qF -- "$claim" Documentation/Tables.md || fail "Documentation/Tables.md doesn't say, as README.md does: $claim"
done <<< "$claims"

# Number and title of each guarantee that has a text; the README has titles only.
in_readme=$(sed -n 's/^- \*\*\(.*\)\.\*\* ..*/\1/p' README.md)
in_guide=$(awk '/^### L[0-9]/ { title = substr($0, 5); next } /^#/ { title = "" } title && NF { print title; title = "" }' "$guide")
[[ -n $in_guide ]] || fail "$guide lists no guarantee"
[[ -n $in_readme ]] || fail "README.md lists no guarantee"
unknown=$(grep -vxF "$(sed 's/^L[0-9]* //' <<< "$in_guide")" <<< "$in_readme" || true)
[[ -z $unknown ]] || fail "README.md has guarantees that aren't in $guide: $unknown"

while read -r number title; do
  grep -rqF "func \`$number " Tests || fail "no test is named after $number $title"
done <<< "$in_guide"

# The other way round, no test is named after a guarantee that the guide doesn't have.
while read -r number; do
  grep -q "^### $number " "$guide" || fail "a test is named after $number, which $guide doesn't have"
done < <(grep -rhoE 'func `L[0-9]+ ' Tests | sed 's/func `\(.*\) /\1/' | sort -u)

if ((status == 0)); then
  echo "$(wc -l <<< "$in_guide") guarantees are in guide and tests, those of the README too"
fi
exit "$status"
