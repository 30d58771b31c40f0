#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that a client of the library loads neither Foundation nor ICU.
#
# Builds a small program outside of this package and looks at what it loads.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/client"
cat > "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RaceFreeFuture", path: "$root")],
  targets: [
    .executableTarget(name: "client", dependencies: [.product(name: "RaceFreeFuture", package: "RaceFreeFuture")])
  ]
)
END
cat > "$folder/Sources/client/main.swift" <<'END'
import RaceFreeFuture

let future = Future(label: "client")
future.onComplete { print("done") }
future.complete()
print(await future.handlersFinished)
END

swift build -c release --package-path "$folder"
"$folder/.build/release/client"

if command -v otool > /dev/null; then
  libraries=$(otool -L "$folder/.build/release/client")
elif command -v ldd > /dev/null; then
  libraries=$(ldd "$folder/.build/release/client") # also what the libraries load
else
  libraries=$(readelf -d "$folder/.build/release/client")
fi
if grep -i -E 'foundation|icu' <<< "$libraries"; then
  echo "the library makes its clients load these" >&2
  exit 1
fi
grep -q -i dispatch <<< "$libraries" || {
  echo "these libraries can't be all that the client loads:" >&2
  echo "$libraries" >&2
  exit 1
}
echo "a client of the library loads neither Foundation nor ICU"
