#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the own test suites of public packages in every order: foreign.sh [PACKAGE [TEST]], in .build-foreign.
#
# Not a part of `make check`, because it takes an hour. Each package is cloned at a version, its asynchronous tests get the
# trait (Scripts/shared/foreign.py has the rule), and each test runs in a process of its own. Nothing of it is committed but the
# table, which is renewed when all packages ran. Their reports and pages stay beside them. TEST is a part of a test's name.
set -euo pipefail
cd "$(dirname "$0")/.."

# With the most orders of a test; 3,000 is the usual number.
packages=(
  apple/swift-async-algorithms@1.1.4:500
  apple/swift-configuration@1.4.0:3000
  swhitty/FlyingFox@0.27.1:3000
  swift-server/swift-service-lifecycle@2.13.0:500
)

folder=.build-foreign
mkdir -p "$folder"
for package in "${packages[@]}"; do
  name=${package#*/} name=${name%@*} version=${package#*@} limit=${package#*:} version=${version%:*}
  if [[ -n ${1:-} && $1 != "$name" ]]; then continue; fi
  if [[ ! -d $folder/$name ]]; then
    git -c advice.detachedHead=false clone --quiet --branch "$version" "https://github.com/${package%@*}" "$folder/$name"
  fi
  git -C "$folder/$name" checkout --quiet --force "$version"
  python3 Scripts/shared/foreign.py change "$PWD" "$folder/$name" "$limit"
  # A warning of theirs is none of ours.
  swift build --build-tests --package-path "$folder/$name" > "$folder/$name.build.txt" 2>&1 || {
    grep error: "$folder/$name.build.txt" | sort -u | head -40
    exit 1
  }
  python3 Scripts/shared/foreign.py run "$folder/$name" "$folder/$name.txt" "$name $version" "$limit" "${2:-}"
done
if [[ -z ${1:-} ]]; then
  table=$(python3 Scripts/shared/foreign.py table "$folder"/*.json)
  Scripts/shared/put.sh Documentation/FieldReport.md suites <<< "$table"
  Scripts/shared/put.sh Sources/RaceFreeFutureTesting/RaceFreeFutureTesting.docc/OnAnExistingSuite.md suites <<< "$table"
fi
