#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the examples compile without a warning, pass their tests and run.
#
# SwiftPM silences the packages they depend on, which excludes -warnings-as-errors; the compiler's words are searched
# instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/clients.sh

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# What has been compiled before would not warn again.
(
  cd .build-clients/debug 2>/dev/null || exit 0
  rm -rf {Loopback,fetch,first_token,composite,wrap_callback_api,operations,programs,search_as_you_type,race_gallery,service,ExampleTests}.build
)
swift build "${debug[@]}" --package-path Examples --build-tests 2>&1 | tee "$log"
if grep -E 'Examples/(Sources|Tests)/.*(warning|error):' "$log"; then
  echo "the examples compile with warnings" >&2
  exit 1
fi

timeout --foreground --signal=INT --kill-after=30 20m swift test "${debug[@]}" --quiet --disable-xctest --package-path Examples

run() {
  echo "--- $*"
  timeout --foreground --signal=INT --kill-after=30 10m "$@"
}
run swift run "${debug[@]}" --package-path Examples --skip-build first-token
run swift run "${debug[@]}" --package-path Examples --skip-build fetch
run swift run "${debug[@]}" --package-path Examples --skip-build composite
run swift run "${debug[@]}" --package-path Examples --skip-build wrap-callback-api
run swift run "${debug[@]}" --package-path Examples --skip-build operations
run swift run "${debug[@]}" --package-path Examples --skip-build search-as-you-type --seed 7
run swift run "${debug[@]}" --package-path Examples --skip-build race-gallery
run swift run "${debug[@]}" --package-path Examples --skip-build programs --stress 100
