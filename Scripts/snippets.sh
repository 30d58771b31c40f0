#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the Swift code in README.md, in the guides and in the tutorials compiles.
#
# Each block for itself: it is wrapped in a function of its own, in a package outside of this one. A block that imports
# something, as do all in the guides to testing, imports all that it uses; the others have the module of their guide. A
# block that imports a testing library is a whole file with tests. Each step of a tutorial is a program or a file with
# tests as it stands, and compiles without a warning.
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
  .product(name: \$0, package: "RaceFreeFuture")
}
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
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

steps=0
for file in Sources/*/*.docc/Tutorials/Resources/*.swift; do
  step=$(basename "$file" .swift)
  steps=$((steps + 1))
  case $step in
    *-package)
      mkdir "$folder/$step"
      cp "$file" "$folder/$step/Package.swift"
      swift package --package-path "$folder/$step" dump-package > "$folder/$step/manifest.json"
      continue
      ;;
  esac
  # A file named main.swift begins to run at its top.
  if grep -q '^import Testing$' "$file"; then
    kind=testTarget path=Tests/$step name=StepTests.swift
  else
    kind=executableTarget path=Sources/$step name=main.swift
  fi
  mkdir -p "$folder/$path"
  printf '#sourceLocation(file: "%s", line: 1)\n' "$root/$file" | cat - "$file" > "$folder/$path/$name"
  echo "package.targets.append(.$kind(name: \"$step\", dependencies: products, path: \"$path\", swiftSettings: strict))" \
    >> "$folder/Package.swift"
done

for page in README.md Sources/*/*.docc/*.md; do
  # Their code is that of Integrations, which needs other packages, and of tests, as readme.sh checks.
  if [[ $page == */Cookbook.md || $page == */Apps.md ]]; then continue; fi
  imports="import Dispatch\\nimport RaceFreeFuture\\n"
  case $page in
    *Testing.docc/*) imports= ;;
    *Foundation.docc/*)
      imports+="import Foundation\\nimport RaceFreeFutureFoundation\\n"
      imports+="#if canImport(FoundationNetworking)\\nimport FoundationNetworking\\n#endif\\n"
      ;;
  esac
  awk -v page="$page" -v common="$imports" -v prefix="$(basename "$page" .md)" \
    -v sources="$folder/Sources/snippets" -v tests="$folder/Tests/snippetTests" '
    /^```swift$/ {
      name = prefix (++count) ".swift"
      isTest = 0
      imports = common
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
    inside && /^#if canImport/ { importing = 1 }
    inside && importing {
      imports = imports $0 "\n"
      body = body "\n"
      if (/^#endif/) importing = 0
      next
    }
    inside && /^import (Testing|XCTest)$/ { isTest = 1 }
    inside && /^import / {
      if (imports == common) imports = ""
      imports = imports $0 "\n"
      body = body "\n"
      next
    }
    inside { body = body $0 "\n" }
  ' "$page"
done
echo "$(find "$folder/Sources/snippets" "$folder/Tests/snippetTests" -name '*.swift' | wc -l) blocks of code, $steps steps of tutorials"
swift build --package-path "$folder" --build-tests
