#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Compiles the code for systems other than this one against stubs, and tests the code for Combine with OpenCombine.
#
# Only on Linux with Glibc. The folder Tests/Platforms has the stubs: the C libraries of Apple, Musl and Android, and the
# modules Combine and os. In a copy of the sources the conditions of `#if` are set as on the other system. The library
# is also linked statically, with Swift's own libraries, and run. Documentation/Platforms.md says what that proves.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$PWD/.build-platforms
stubs=$PWD/Tests/Platforms/Stubs
flags=(-swift-version 6 -package-name racefreefuture -strict-memory-safety)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault \
  InferIsolatedConformances ImmutableWeakCaptures; do
  flags+=(-enable-upcoming-feature "$feature")
done

# conditions <system>: prints a script for sed that sets the conditions of `#if` as they are there.
conditions() {
  local true=() false=('canImport(Glibc)')
  case $1 in
    Darwin | iOS)
      true=('canImport(Darwin)' 'canImport(ObjectiveC)' 'canImport(os)' "os($1)")
      false+=('os(Linux)' 'canImport(FoundationNetworking)')
      ;;
    Musl) true=('canImport(Musl)') ;;
    Android)
      true=('canImport(Android)' 'os(Android)')
      false+=('os(Linux)')
      ;;
  esac
  for one in "${true[@]}"; do echo "/^ *#\\(else\\)\\{0,1\\}if/s/$one/true/g"; done
  for one in "${false[@]}"; do echo "/^ *#\\(else\\)\\{0,1\\}if/s/$one/false/g"; done
}

# compile <module> <file or option>...: as far as all diagnoses, in the folder of the system.
compile() {
  swiftc "${flags[@]}" -parse-as-library -wmo -emit-module -emit-module-path "$folder/$1.swiftmodule" -module-name "$1" -I "$folder" "${@:2}"
}

# check <system> <stubs>
check() {
  local folder=$scratch/$1 library=$2
  rm -rf "$folder"
  mkdir -p "$folder/Sources"
  cp "$stubs/Posix.h" "$scratch"
  cp "$stubs/$library"/{Platform.h,module.modulemap} "$folder"
  cp -R Sources/RaceFreeFuture{,Foundation,Testing,TestingTools,Exploring} "$folder/Sources"
  find "$folder/Sources" -name '*.docc' -prune -exec rm -rf {} +
  # The XCTest of this system has no `XCTIssue`: what is for Apple's is only read.
  if [[ $library == Darwin ]]; then rm "$folder/Sources/RaceFreeFutureExploring/Explore/ExploredTestCase.swift"; fi
  conditions "$1" > "$folder/conditions.sed"
  find "$folder/Sources" -name '*.swift' -exec sed -i -f "$folder/conditions.sed" {} +
  # The library's own C headers get the declarations of that system, too.
  local runtime
  for runtime in CRaceFreeFuture CSignals CExploring; do
    sed 's/#include <\(pthread\|signal\|unistd\).h>/#include "Platform.h"/' \
      "Sources/$runtime/include/$runtime.h" > "$folder/$runtime.h"
    echo "module $runtime { header \"$runtime.h\" export * }" >> "$folder/module.modulemap"
  done

  compile "$library" -suppress-warnings "$stubs/Overlay.swift"
  # What names a declaration that the system doesn't have, or the type of another one, is found.
  printf '%s\n' 'internal import CRaceFreeFuture' '#if canImport('"$library"')' \
    'let thread: UInt = pthread_self()' 'let nothing = nonsense()' '#endif' > "$folder/Seed.swift"
  sed -i -f "$folder/conditions.sed" "$folder/Seed.swift"
  local found
  found=$(compile Seed "$folder/Seed.swift" 2>&1 || true)
  if [[ $found != *"to specified type 'UInt'"* || $found != *"cannot find 'nonsense'"* ]]; then
    echo "$1: the compiler doesn't see what is wrong with the seed. It said: $found" >&2
    return 1
  fi

  local sources=$folder/Sources
  mapfile -t files < <(find "$sources/RaceFreeFuture" -name '*.swift')
  compile RaceFreeFuture -warnings-as-errors "${files[@]}"
  local module
  for module in RaceFreeFuture{TestingTools,Exploring,Testing}; do
    mapfile -t files < <(find "$sources/$module" -name '*.swift')
    compile "$module" -warnings-as-errors "${files[@]}"
  done
  # Foundation brings the C library of this system with it: members that have other names elsewhere are added. Its
  # protocols have no optional members.
  find "$sources/RaceFreeFutureFoundation" -name '*.swift' \
    -exec sed -i -e 's/^\( *[a-z]* import\) Foundation$/\1 PlatformFoundation/' -e 's/urlSession?(/urlSession(/' {} +
  compile PlatformFoundation -suppress-warnings "$stubs/$library/Foundation.swift"
  if [[ $library == Darwin ]]; then compile os -suppress-warnings Tests/Platforms/Sources/os/os.swift; fi
  mapfile -t files < <(find "$sources/RaceFreeFutureFoundation" -name '*.swift')
  compile RaceFreeFutureFoundation -warnings-as-errors "${files[@]}"
  echo "$1: all modules compile"
}

# A program with all modules and Swift's own libraries in it.
static() {
  local folder=$scratch/static
  rm -rf "$folder/Sources"
  mkdir -p "$folder/Sources/client" "$folder/lib"
  cat > "$folder/Package.swift" << MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let modules = ["RaceFreeFuture", "RaceFreeFutureFoundation", "RaceFreeFutureTesting"]
let package = Package(
  name: "client",
  dependencies: [.package(name: "RaceFreeFuture", path: "$PWD")],
  targets: [
    .executableTarget(name: "client", dependencies: modules.map { .product(name: \$0, package: "RaceFreeFuture") })
  ]
)
MANIFEST
  cat > "$folder/Sources/client/main.swift" << 'PROGRAM'
import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation
import RaceFreeFutureTesting

print("value:", try await ValueFuture<Int>.background { _ in 42 }.value)
let echo = Process()
echo.executableURL = URL(fileURLWithPath: "/bin/echo")
echo.arguments = ["printed"]
let run: ValueFuture<ProcessResult> = echo.runFuture()
print("process:", String(decoding: try await run.value.standardOutput, as: UTF8.self), terminator: "")
// The explorer finds the hooks of the runtime in the program itself.
let exploration = await exploreTasks("two tasks count") { scenario in
  let count = Variable(0)
  @Sendable func increment() async {
    let before = count.value
    await Task.yield()
    count.value = before + 1
  }
  async let first: Void = increment()
  async let second: Void = increment()
  _ = await (first, second)
  scenario.check(count.value == 2, "an increment is lost")
}
print("exploration:", exploration.passed ? "passed" : "found the race")
PROGRAM
  # Foundation's part for the network uses curl, whose development files may be missing.
  ln -sf "$(ldconfig -p | awk '/libcurl\.so\.4 / { print $NF; exit }')" "$folder/lib/libcurl.so"
  swift build --package-path "$folder" --static-swift-stdlib -Xlinker "-L$folder/lib"
  local client=$folder/.build/debug/client
  if ldd "$client" | grep -E 'libswift|libFoundation|libdispatch'; then
    echo "the client isn't linked statically" >&2
    return 1
  fi
  local said
  said=$("$client")
  if [[ $said != $'value: 42\nprocess: printed\nexploration: found the race' ]]; then
    echo "the client that is linked statically said: $said" >&2
    return 1
  fi
  echo "static: a program with all modules runs"
}

if [[ $(uname) != Linux ]]; then
  echo "skipped: platforms: the stubs are for Linux"
  exit 0
fi
mkdir -p "$scratch"
check Darwin Darwin
check iOS Darwin
check Musl Musl
check Android Android
static
# Combine and os, too, are there: the tests run with OpenCombine.
swift test --package-path Tests/Platforms
