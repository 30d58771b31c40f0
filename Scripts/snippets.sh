#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the Swift code in README.md and in the guides compiles.
#
# Each block for itself: it is wrapped in a function of its own, in a package outside of this one. A block that imports a
# testing library is a whole file with tests, and compiled as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/snippets" "$folder/Tests/snippetTests"
cat > "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let products: [Target.Dependency] = ["RaceFreeFuture", "RaceFreeFutureFoundation", "RaceFreeFutureTesting"].map {
  .product(name: $0, package: "RaceFreeFuture")
}
let package = Package(
  name: "snippets",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RaceFreeFuture", path: "$root")],
  targets: [
    .target(name: "snippets", dependencies: products),
    .testTarget(name: "snippetTests", dependencies: products),
  ]
)
END

for page in README.md Sources/*/*.docc/*.md; do
  awk -v page="$page" -v prefix="$(basename "$page" .md)" \
    -v sources="$folder/Sources/snippets" -v tests="$folder/Tests/snippetTests" '
    /^```swift$/ {
      name = prefix (++count) ".swift"
      isTest = 0
      imports = "import Dispatch\nimport RaceFreeFuture\n"
      body = ""
      first = FNR + 1
      inside = 1
      next
    }
    /^```$/ && inside {
      inside = 0
      if (isTest) {
        file = tests "/" name
        printf "%s", imports > file
        printf "#sourceLocation(file: \"%s\", line: %d)\n%s#sourceLocation()\n", page, first, body > file
        close(file)
        next
      }
      file = sources "/" name
      printf "%s\nprivate func snippet() async throws {\n", imports > file
      printf "#sourceLocation(file: \"%s\", line: %d)\n%s#sourceLocation()\n}\n", page, first, body > file
      close(file)
      next
    }
    inside && /^import (Testing|XCTest)$/ { isTest = 1 }
    inside && /^import / { imports = imports $0 "\n"; body = body "\n"; next }
    inside { body = body $0 "\n" }
  ' "$page"
done
echo "$(find "$folder/Sources" "$folder/Tests" -name '*.swift' | wc -l) blocks of code"
swift build --package-path "$folder" --build-tests
