#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Builds the reference and the guides, and prints how much is documented.
#
# The result is a web site for each module in .build-docs. Fails on every warning, such as a link to nothing, and if a
# type of theirs, or a member of one of the pages below, is in no topic group.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build-docs
docc=$(xcrun --find docc 2> /dev/null || command -v docc || true)
if [[ -z $docc ]]; then
  echo "docc, which comes with Swift, is not in the PATH" >&2
  exit 1
fi

# What is in no topic group DocC puts into groups of its own, with these names.
own='"title":"((Instance|Type) (Methods|Properties)|Initializers|Classes|Structures|Enumerations|Extended Modules)"'

# A compiler writes the symbols only of what it compiles, so it starts afresh.
rm -rf "$scratch"

# document <module> <page whose members have to be in topic groups>...
document() {
  local module=$1 symbols=$scratch/symbols/$1 site=$scratch/$1 page
  shift
  mkdir -p "$symbols"
  swift build --target "$module" --scratch-path "$scratch" -Xswiftc -emit-symbol-graph \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$scratch/symbols/all" -Xswiftc -emit-extension-block-symbols
  # The compiler writes those of the modules below as well.
  cp "$scratch/symbols/all/$module".symbols.json "$scratch/symbols/all/$module"@*.symbols.json "$symbols" 2> /dev/null ||
    cp "$scratch/symbols/all/$module".symbols.json "$symbols"
  # Apple's Foundation is one module; elsewhere it is three, and the guides name them.
  local catalog=$scratch/$module.docc
  cp -R "Sources/$module/$module.docc" "$catalog"
  if [[ $(uname) == Darwin ]]; then
    sed -i '' -E 's/``Foundation(Essentials|Networking)/``Foundation/' "$catalog"/*.md
  fi
  "$docc" convert "$catalog" \
    --fallback-display-name "$module" --fallback-bundle-identifier "org.racefreefuture.$module" \
    --fallback-bundle-version 1 --additional-symbol-graph-dir "$symbols" --output-path "$site" \
    --transform-for-static-hosting --hosting-base-path "$module" \
    --experimental-documentation-coverage --coverage-summary-level brief --warnings-as-errors
  for page in "$(tr '[:upper:]' '[:lower:]' <<< "$module")" "$@"; do
    if grep -oE "$own" "$site/data/documentation/$page.json"; then
      echo "something in $page is in no topic group: see $site" >&2
      exit 1
    fi
  done
}

mkdir -p "$scratch/symbols/all"
document RaceFreeFuture racefreefuture/future racefreefuture/canceltoken racefreefuture/valuefuture
document RaceFreeFutureFoundation
document RaceFreeFutureTesting
