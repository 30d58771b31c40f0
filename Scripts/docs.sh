#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Builds the reference and the guides, and prints how much is documented.
#
# The result is a web site in .build-docs/site. Fails on every warning, such as a link to nothing, and if a type or a
# member of Future, ValueFuture or CancelToken is in no topic group.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build-docs
symbols=$scratch/symbols
site=$scratch/site

# A compiler writes the symbols only of what it compiles, so it starts afresh.
rm -rf "$scratch"
mkdir -p "$symbols"
swift build --target RaceFreeFuture --scratch-path "$scratch" -Xswiftc -emit-symbol-graph \
  -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$symbols" -Xswiftc -emit-extension-block-symbols

docc=$(xcrun --find docc 2> /dev/null || command -v docc || true)
if [[ -z $docc ]]; then
  echo "docc, which comes with Swift, is not in the PATH" >&2
  exit 1
fi
"$docc" convert Sources/RaceFreeFuture/RaceFreeFuture.docc \
  --fallback-display-name RaceFreeFuture --fallback-bundle-identifier org.racefreefuture.RaceFreeFuture \
  --fallback-bundle-version 1 --additional-symbol-graph-dir "$symbols" --output-path "$site" \
  --transform-for-static-hosting --hosting-base-path RaceFreeFuture \
  --experimental-documentation-coverage --coverage-summary-level brief --warnings-as-errors

# What is in no topic group DocC puts into groups of its own, with these names.
own='"title":"((Instance|Type) (Methods|Properties)|Initializers|Classes|Structures|Enumerations|Extended Modules)"'
for page in racefreefuture racefreefuture/future racefreefuture/canceltoken racefreefuture/valuefuture; do
  if grep -oE "$own" "$site/data/documentation/$page.json"; then
    echo "something in $page is in no topic group: see $site" >&2
    exit 1
  fi
done
