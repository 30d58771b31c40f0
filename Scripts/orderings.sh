#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Makes the tables of Documentation/Orderings.md again: which ordering is needed for what.
#
# Fails, and changes nothing, if a test of it does.
set -euo pipefail
cd "$(dirname "$0")/.."

table=$(mktemp)
trap 'rm -f "$table"' EXIT
RACEFREEFUTURE_ORDERINGS=$table swift test --filter OrderingTests

Scripts/put.sh Documentation/Orderings.md orderings < "$table"
