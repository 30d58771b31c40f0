#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the recipes in Examples/Integrations compile without a warning, and pass their tests against the real packages.
#
# Not a part of `make check`: the packages it depends on take minutes to build. It needs git, access to github.com and,
# on Linux, SQLite's headers. All servers are on the loopback interface. SwiftPM silences foreign packages, which excludes
# -warnings-as-errors; the compiler's words are searched instead.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $(uname) == Linux ]] && ! clang -E -x c - <<< '#include <sqlite3.h>' > /dev/null 2>&1; then
  echo "SQLite's headers are missing: install libsqlite3-dev, as the package of Debian is called" >&2
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# What has been compiled before would not warn again.
for target in Examples/Integrations/Sources/* Examples/Integrations/Tests/*; do
  rm -rf "Examples/Integrations/.build/debug/$(basename "$target").build"
done
timeout --foreground --signal=INT --kill-after=30 60m \
  swift build --package-path Examples/Integrations --build-tests 2>&1 | tee "$log"
if grep -E 'Examples/Integrations/(Sources|Tests)/.*(warning|error):' "$log"; then
  echo "the integrations compile with warnings" >&2
  exit 1
fi

timeout --foreground --signal=INT --kill-after=30 5m \
  swift test --quiet --disable-xctest --package-path Examples/Integrations --skip-build
