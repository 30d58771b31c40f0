#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the Swift code in README.md and in the guides compiles.
#
# Each block for itself: it is wrapped in a function of its own, in a package outside of this one. A guide's module, and
# what that is about, needn't be imported.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/snippets"
cat > "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "snippets",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RaceFreeFuture", path: "$root")],
  targets: [
    .target(
      name: "snippets",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "RaceFreeFutureFoundation", package: "RaceFreeFuture"),
      ]
    )
  ]
)
END

for page in README.md Sources/*/*.docc/*.md; do
  imports="import Dispatch\\nimport RaceFreeFuture\\n"
  case $page in
    *Foundation.docc/*)
      imports+="import Foundation\\nimport RaceFreeFutureFoundation\\n"
      imports+="#if canImport(FoundationNetworking)\\nimport FoundationNetworking\\n#endif\\n"
      ;;
  esac
  awk -v page="$page" -v common="$imports" -v prefix="$folder/Sources/snippets/$(basename "$page" .md)" '
    /^```swift$/ {
      file = prefix (++count) ".swift"
      imports = common
      body = ""
      first = FNR + 1
      inside = 1
      next
    }
    /^```$/ && inside {
      inside = 0
      printf "%s\nprivate func snippet() async throws {\n", imports > file
      printf "#sourceLocation(file: \"%s\", line: %d)\n%s#sourceLocation()\n}\n", page, first, body > file
      close(file)
      next
    }
    inside && /^#if canImport/ { importing = 1 }
    inside && importing {
      imports = imports $0 "\n"
      body = body "\n"
      if (/^#endif/) importing = 0
      next
    }
    inside && /^import / { imports = imports $0 "\n"; body = body "\n"; next }
    inside { body = body $0 "\n" }
  ' "$page"
done
echo "$(find "$folder/Sources" -name '*.swift' | wc -l) blocks of code"
swift build --package-path "$folder"
