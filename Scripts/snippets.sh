#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the Swift code in README.md, in the guides and in the tutorials compiles.
#
# Each block for itself: it is wrapped in a function of its own, and has the modules that build.sh has compiled. A block
# that imports something, as do all in the guides to testing, imports all that it uses; the others have the module of their
# guide. A block that imports a testing library is a whole file with tests. Each step of a tutorial is a program or a file
# with tests as it stands, and compiles without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."

. Scripts/shared/strict.sh

find_modules
testing=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/host/plugins/testing
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/blocks" "$folder/tests"

# compile <option or file>...: as far as the compiler has something to say.
compile() {
  swiftc -emit-sil -o /dev/null -swift-version 6 -module-name Snippets -wmo "${search[@]}" -plugin-path "$testing" "$@"
}

steps=0
for file in Sources/*/*.docc/Tutorials/Resources/*.swift; do
  steps=$((steps + 1))
  if [[ $file == *-package.swift ]]; then
    mkdir "$folder/package-$steps"
    cp "$file" "$folder/package-$steps/Package.swift"
    swift package --package-path "$folder/package-$steps" dump-package > /dev/null
  elif grep -q '^import Testing$' "$file"; then
    compile -warnings-as-errors -parse-as-library "$file"
  else
    compile -warnings-as-errors "$file"
  fi
done

for page in README.md Sources/*/*.docc/*.md; do
  # Their code is that of Examples/Integrations, which needs other packages, and of tests, as readme.sh checks.
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
    -v sources="$folder/blocks" -v tests="$folder/tests" '
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
echo "$(find "$folder/blocks" "$folder/tests" -name '*.swift' | wc -l) blocks of code, $steps steps of tutorials"
compile -parse-as-library "$folder"/blocks/*.swift
compile -parse-as-library "$folder"/tests/*.swift
