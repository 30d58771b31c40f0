#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Makes the tables of Documentation/FieldReport.md again: the tools against public packages, and defects that were found.
#
# Not a part of `make check`: what is found depends on other people's versions and on luck. Some ten minutes, and as
# many more for a first build, on a machine that does nothing else. Fails if a hunt finds something else than it says is
# known; the tables are renewed then, too.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $(uname -s) != Linux ]]; then
  echo "skipped: field: the programs are for Linux"
  exit 0
fi

for product in field platform upstream; do swift build -c release --package-path Tests/Field --product $product; done
programs=$(swift build -c release --package-path Tests/Field --show-bin-path)
versions=$(python3 - Tests/Field/.build/workspace-state.json << 'PROGRAM'
import json, sys
packages = [one["packageRef"]["identity"] + " " + one["state"]["checkoutState"].get("version", "unreleased")
            for one in json.load(open(sys.argv[1]))["object"]["dependencies"] if "checkoutState" in one["state"]]
print(", ".join(sorted(packages)))
PROGRAM
)
version=$(swift --version 2> /dev/null | grep -o 'Swift version [0-9.]*')
load=$(uptime | sed 's/.*load average[s]*: //; s/[, ].*//')
machine="$(getconf _NPROCESSORS_ONLN) cores ($(uname -m)), $(uname -s) $(uname -r | cut -d - -f 1), $version, load average $load at the start"

status=0
hunts=$(timeout --foreground --signal=INT --kill-after=30 60m "$programs/field") || status=$?
reports=$(timeout --foreground --signal=INT --kill-after=30 20m "$programs/upstream")
defects=$(timeout --foreground --signal=INT --kill-after=30 20m "$programs/platform")
Scripts/shared/put.sh Documentation/FieldReport.md hunts <<< "On $machine, with $versions."$'\n\n'"$hunts"
Scripts/shared/put.sh Documentation/FieldReport.md upstream <<< "$reports"
Scripts/shared/put.sh Documentation/FieldReport.md defects <<< "$defects"
exit "$status"
