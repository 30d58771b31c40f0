# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# How examples.sh, benchmarks.sh and others, which source this file, compile packages that depend on the library: all in one
# folder for debugging and one for release, so that the library is compiled once in each. Plans aren't kept: SwiftPM takes
# that of a package that was built twice for the next one's.
debug=(--scratch-path "$PWD/.build-clients" --disable-build-manifest-caching)
release=(-c release --scratch-path "$PWD/.build-release" --disable-build-manifest-caching)

# build_release <option of swift build> ...: compiles a package for release; fails on a warning in a source of ours.
build_release() {
  local log
  log=$(mktemp)
  swift build "${release[@]}" "$@" 2>&1 | tee "$log"
  if grep -E '^/[^ ]*/(Sources|Benchmarks)/[^ ]*: warning:' "$log" | grep -v '/checkouts/'; then
    echo "it compiles with warnings" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
