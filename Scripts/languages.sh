#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Measures what C++, Go, Rust and Java have for the same (UPDATE=1: renews the table in Benchmarks/README.md).
#
# Each program in Benchmarks/OtherLanguages prints nanoseconds a piece, the best of 400 short runs; so does ours. A
# language whose tools aren't installed is left out, and said to be.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/clients.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sources=$PWD/Benchmarks/OtherLanguages

# measure <column> <command>: notes what the command prints; it runs in the folder.
measure() {
  (cd "$folder" && bash -euc "$2" > "$1" 2> errors) || { rm -f "$folder/$1"; echo "left out: $1: $(tail -n 1 "$folder/errors")" >&2; }
}

swift build "${release[@]}" --package-path Benchmarks --product tokens
measure ours "$(swift build "${release[@]}" --package-path Benchmarks --show-bin-path)/tokens"
measure stop_token "g++ -O2 -std=c++20 $sources/cpp/stop_token.cpp -o stop && ./stop"
measure context "cd $sources/go && go build -o $folder/go main.go && $folder/go"
# Where Debian's packages hold the crates, no registry is asked.
system=/usr/share/cargo/registry
options=''
if [[ -d $system ]]; then
  options="--offline --config source.crates-io.replace-with=\\\"system\\\" --config source.system.directory=\\\"$system\\\""
fi
measure tokio "cp -R $sources/tokio source && cd source && cargo build -q --release --target-dir ../target $options >&2 && ../target/release/tokens"
measure java "javac -d classes $sources/java/Chain.java && java -cp classes Chain"

{
  echo "| work, nanoseconds a piece | ours | C++ \`std::stop_token\` | Go \`context\` | tokio-util \`CancellationToken\` | Java \`CompletableFuture\` |"
  echo "| --- | ---: | ---: | ---: | ---: | ---: |"
  while IFS='=' read -r row work; do
    line="| $work"
    for column in ours stop_token context tokio java; do
      value=$(sed -n "s/^$row //p" "$folder/$column" 2> /dev/null || true)
      line+=" | ${value:-–}"
    done
    echo "$line |"
  done <<'ROWS'
callback=make, one callback, cancel
cancel=make, cancel
child=make a child of a long-lived parent, end it
wide=one of a thousand below one that is cancelled, making included
deep=one of a line of a thousand whose first is cancelled, making included
maps=ten maps and a handler, complete
ROWS
} > "$folder/table"
cat "$folder/table"

if [[ -n ${UPDATE:-} ]]; then Scripts/shared/put.sh Benchmarks/README.md languages < "$folder/table"; fi
