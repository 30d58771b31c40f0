#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that a client of the library loads neither Foundation nor ICU, and that exploring threads in tests leaves no
# traces in the program; and that the explorer of calls gives way to other tools that define them.
#
# Builds small programs outside of this package and looks at what they load, contain and print. One follows the recipe of
# the guide ExploringThreads, with the code, the alias and the manifest that are there.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/clients.sh

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

build_release --package-path "$folder"
client=$(swift build "${release[@]}" --package-path "$folder" --show-bin-path)/client
"$client"

if command -v otool > /dev/null; then
  libraries=$(otool -L "$client")
elif command -v ldd > /dev/null; then
  libraries=$(ldd "$client") # also what the libraries load
else
  libraries=$(readelf -d "$client")
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

# --- Explored threads

guide=Sources/RaceFreeFutureTesting/RaceFreeFutureTesting.docc/ExploringThreads.md
# block <text>: prints the guide's block of code that has the text.
block() {
  awk -v text="$1" '
    /^```/ && !inside { inside = 1; code = ""; next }
    /^```/ { inside = 0; if (index(code, text)) printf "%s", code; next }
    inside { code = code $0 "\n" }
  ' "$guide"
}
accounts=$folder/accounts
mkdir -p "$accounts"/Sources/{Accounts,pay,queues} "$accounts/Tests/AccountsTests"
manifest=$(block 'traits: [')
cat > "$accounts/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Accounts",
  platforms: [.macOS(.v15)],
  ${manifest%%…*}
  dependencies: [.package(name: "RaceFreeFuture", path: "$root")],
  targets: [
    ${manifest#*…}
    .executableTarget(name: "pay", dependencies: ["Accounts"]),
    .executableTarget(
      name: "queues",
      dependencies: [
        .product(
          name: "RaceFreeFutureTesting", package: "RaceFreeFuture", condition: .when(traits: ["EXPLORED"])),
      ]
    ),
    .testTarget(
      name: "AccountsTests",
      dependencies: [
        "Accounts",
        .product(
          name: "RaceFreeFutureTesting", package: "RaceFreeFuture", condition: .when(traits: ["EXPLORED"])),
      ]
    ),
  ]
)
END
block '#if EXPLORED' > "$accounts/Sources/Accounts/Primitives.swift"
block 'class Wallet' | sed -n '/^final class Wallet/,/^}/p' > "$accounts/Sources/Accounts/Wallet.swift"
cat > "$accounts/Sources/Accounts/Pay.swift" <<'END'
public func pay(_ amount: Int) -> Bool {
  let wallet = Wallet()
  wallet.withdraw(amount)
  return !wallet.isOverdrawn
}
END
cat > "$accounts/Sources/pay/main.swift" <<'END'
import Accounts

print(pay(80))
END
cat > "$accounts/Sources/queues/main.swift" <<'END'
#if EXPLORED
import Dispatch
import Foundation
import RaceFreeFutureTesting

print(await explore("queues") { scenario in
  let (queue, lock) = (DispatchQueue(label: "queue"), NSRecursiveLock())
  for name in ["a", "b"] { scenario.thread(name) { lock.withLock { queue.async {} } } }
})
#endif
END
{
  echo '#if EXPLORED'
  echo '@testable import Accounts'
  block 'class Wallet' | sed -n -e '/^import/p' -e '/^struct/,/^}/p'
  echo '#endif'
} > "$accounts/Tests/AccountsTests/WalletTests.swift"

# is_exploring <file>: tells whether it has symbols of the testing module.
is_exploring() {
  nm "$1" > "$folder/symbols"
  grep -q Wallet "$folder/symbols" || {
    echo "there is no wallet in $1" >&2
    exit 1
  }
  grep -q -E 'RaceFreeFuture(Testing|Exploring)' "$folder/symbols"
}

# machine_code: builds the program for production, and prints the code of what uses the primitives.
machine_code() {
  swift build -c release --package-path "$accounts" --product pay >&2
  objdump -dr "$accounts/.build/release/Accounts.build/Wallet.swift.o"
}

machine_code > "$folder/aliased"
grep -q withdraw "$folder/aliased" || {
  echo "there is no machine code to compare" >&2
  exit 1
}
if is_exploring "$accounts/.build/release/pay"; then
  echo "a program that isn't explored contains parts of RaceFreeFutureTesting" >&2
  exit 1
fi

explored=("${debug[@]}" --traits EXPLORED --package-path "$accounts")
if swift test "${explored[@]}" > "$folder/report" 2>&1 ||
  ! grep -q 'the wallet is overdrawn' "$folder/report"; then
  cat "$folder/report" >&2
  echo "the recipe of the guide ExploringThreads doesn't find the bug" >&2
  exit 1
fi
products=$(swift build "${explored[@]}" --show-bin-path)
is_exploring "$products/Accounts.build/Wallet.swift.o" || {
  echo "no parts of RaceFreeFutureTesting are found even where they have to be" >&2
  exit 1
}

# The same program without the alias.
rm "$accounts/Sources/Accounts/Primitives.swift"
wallet=$(cat "$accounts/Sources/Accounts/Wallet.swift")
printf 'import Synchronization\n%s\n' "$wallet" > "$accounts/Sources/Accounts/Wallet.swift"
machine_code > "$folder/plain"
diff "$folder/plain" "$folder/aliased" || {
  echo "the alias changes the machine code" >&2
  exit 1
}
echo "a program whose tests explore its threads is the same as without that, and the tests find its bug"

# --- Other tools that define what the explorer drives

if [[ $(uname) != Linux ]]; then exit; fi

# tool <name>: builds an object and a library of a tool, from its code.
tool() {
  { echo '#define _GNU_SOURCE'; echo '#include <dlfcn.h>'; cat; } > "$folder/$1.c"
  clang -fPIC -c "$folder/$1.c" -o "$folder/$1.o"
  clang -shared "$folder/$1.o" -o "$folder/$1.so"
}
tool calls <<'END'
static long calls;
void dispatch_async(void *queue, void *block) {
  calls++;
  ((void (*)(void *, void *))dlsym(RTLD_NEXT, "dispatch_async"))(queue, block);
}
int pthread_mutex_lock(void *mutex) {
  calls++;
  return ((int (*)(void *))dlsym(RTLD_NEXT, "pthread_mutex_lock"))(mutex);
}
END
# Mutexes of one kind only, and objects without a count, aren't laid out as the explorer reads them.
tool mutexes <<< 'int pthread_mutexattr_settype(void *attribute, int type) { return 0; }'
tool objects <<< 'void dispatch_retain(void *object) {}'

# explores <words> <command...>: runs it, and looks for the words in its report.
explores() {
  timeout 60 "${@:2}" > "$folder/report" 2>&1 && tr '\n' ' ' < "$folder/report" | grep -q "$1" || {
    cat "$folder/report" >&2
    echo "$*: it doesn't say that" >&2
    exit 1
  }
}
build_queues() {
  swift build "${explored[@]}" --product queues "$@"
}
build_queues
explores 'passed: [0-9]* orders' "$products/queues"
explores 'passed: [0-9]* orders' env LD_PRELOAD="$folder/calls.so" "$products/queues"
for other in mutexes objects; do
  explores "aren't driven here" env LD_PRELOAD="$folder/$other.so" "$products/queues"
done
build_queues -Xlinker "$folder/calls.o"
explores "aren't driven here" "$products/queues"
echo "another tool's definitions of the calls that the explorer drives win"
