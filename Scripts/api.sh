#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that what the last release offered is still there.
#
# Compares the public interface with that of the last version tag that this commit descends from. What is broken on
# purpose, for the next major version, is listed in Scripts/api-breakages.txt, one message a line as this prints it.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! tag=$(git describe --tags --abbrev=0 --match '[0-9]*.[0-9]*.[0-9]*' 2> /dev/null); then
  echo "skipped: api: there is no version tag here, so no release to compare the interface with"
  exit 0
fi

allowed=()
if [[ -f Scripts/api-breakages.txt ]]; then allowed=(--breakage-allowlist-path Scripts/api-breakages.txt); fi
echo "comparing with $tag"
swift package --scratch-path .build-api diagnose-api-breaking-changes "$tag" ${allowed[@]+"${allowed[@]}"}
