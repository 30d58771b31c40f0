#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the tests in which threads meet under AddressSanitizer, on Linux with its leak check.
#
# XCTest is left out because it leaks by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/sanitized.sh

# The runtime points to an object's table of weak references in a way that the leak check doesn't recognize. So the
# table of an object that is alive at the end looks like a leak. An object that leaks is still found, by itself.
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
# An explored program that hangs leaves its suspended tasks and waiting threads behind: nobody can end them.
# The others leak in Foundation on Linux, without this package as well: what it asks of libcurl, and libcurl of OpenSSL, the
# buffer of a file that can't be read to its end, and a process whose run loop isn't run.
cat > "$suppressions" <<'END'
leak:formWeakReference
leak:libcurl
leak:libcrypto
leak:FoundationEssentials*readBytesFromFile
leak:Foundation*ProcessC3run
leak:RaceFreeFutureExploring8OrderRunC
leak:RaceFreeFutureExploring10ThreadPool
END
export LSAN_OPTIONS="suppressions=$suppressions:print_suppressions=0:${LSAN_OPTIONS:-}"
sanitize address
