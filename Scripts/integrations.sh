#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the package Integrations compiles without a warning, and passes its tests.
#
# Not a part of `make check`: the packages it depends on take minutes to build. SwiftPM silences them, which excludes
# -warnings-as-errors; the compiler's words are searched instead.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# What has been compiled before would not warn again.
for target in Integrations/Sources/* Integrations/Tests/*; do
  rm -rf "Integrations/.build/debug/$(basename "$target").build"
done
swift build --package-path Integrations --build-tests 2>&1 | tee "$log"
if grep -E 'Integrations/(Sources|Tests)/.*(warning|error):' "$log"; then
  echo "the integrations compile with warnings" >&2
  exit 1
fi

timeout --foreground --signal=INT --kill-after=30 5m swift test --package-path Integrations --skip-build
