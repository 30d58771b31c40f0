#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Makes the tables of Documentation/Orderings.md anew: which ordering is needed for what.
#
# Fails, and changes nothing, if a test of it does.
set -euo pipefail
cd "$(dirname "$0")/.."

table=$(mktemp)
trap 'rm -f "$table"' EXIT
RACEFREEFUTURE_ORDERINGS=$table swift test --filter OrderingTests

TABLE=$(cat "$table") awk '
  /^<!-- orderings: end -->$/ { hidden = 0 }
  !hidden { print }
  /^<!-- orderings: generated -->$/ { hidden = 1; print "\n" ENVIRON["TABLE"] "\n" }
' Documentation/Orderings.md > Documentation/Orderings.md.new
mv Documentation/Orderings.md.new Documentation/Orderings.md
