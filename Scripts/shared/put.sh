#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Replaces a generated part of a page by what comes in: put.sh <page> <name of the part> < text
set -euo pipefail

TEXT=$(cat) awk -v begin="<!-- $2: generated -->" -v end="<!-- $2: end -->" '
  $0 == end { hidden = 0 }
  !hidden { print }
  $0 == begin { hidden = 1; print "\n" ENVIRON["TEXT"] "\n" }
' "$1" > "$1.new"
mv "$1.new" "$1"
