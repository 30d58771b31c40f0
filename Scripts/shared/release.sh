# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# How benchmarks.sh and tables.sh, which source this file, compile: for release.

# build_release <option of swift build> ...: compiles a package for release; fails on a warning in a source of ours.
build_release() {
  local log
  log=$(mktemp)
  swift build -c release "$@" 2>&1 | tee "$log"
  if grep -E '^/[^ ]*/(Sources|Benchmarks)/[^ ]*: warning:' "$log" | grep -v '/checkouts/'; then
    echo "it compiles with warnings" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
