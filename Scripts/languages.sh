#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Measures what C++, Go, Rust and Java have for the same (UPDATE=1: renews the table in Benchmarks/README.md).
#
# Each program in Benchmarks/OtherLanguages prints nanoseconds a piece, the best of 400 short runs; so does ours. A
# language whose tools aren't installed is left out, and said to be.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/figures"
sources=Benchmarks/OtherLanguages
missing=()

# measure <column> <tool> <command…>: notes what the command prints, if there is the tool and the command can be built.
measure() {
  local column=$1 tool=$2
  shift 2
  if ! command -v "$tool" > /dev/null; then
    missing+=("$column: $tool isn't installed")
  elif ! "$@" > "$folder/figures/$column" 2> "$folder/errors"; then
    missing+=("$column: $(tail -n 1 "$folder/errors")")
    rm "$folder/figures/$column"
  fi
}

ours() {
  swift build -c release --package-path Benchmarks --product tokens >&2
  "$(swift build -c release --package-path Benchmarks --show-bin-path)/tokens"
}

stop_token() {
  g++ -O2 -std=c++20 "$sources/cpp/stop_token.cpp" -o "$folder/stop_token" && "$folder/stop_token"
}

context() {
  (cd "$sources/go" && go build -o "$folder/context" main.go) && "$folder/context"
}

tokio() {
  cp -R "$sources/tokio" "$folder/tokio-source"
  # Where the system's packages hold the crates, no registry is asked.
  local system=/usr/share/cargo/registry
  local options=()
  if [[ -d $system ]]; then
    options=(--offline --config 'source.crates-io.replace-with="system"'
      --config "source.system.directory=\"$system\"")
  fi
  (cd "$folder/tokio-source" && cargo build -q --release --target-dir "$folder/tokio" "${options[@]}") >&2 &&
    "$folder/tokio/release/tokens"
}

java_chain() {
  javac -d "$folder/java" "$sources/java/Chain.java" && java -cp "$folder/java" Chain
}

measure ours swift ours
measure stop_token g++ stop_token
measure context go context
measure tokio cargo tokio
measure java javac java_chain

{
  echo "| work, nanoseconds a piece | ours | C++ \`std::stop_token\` | Go \`context\` | tokio-util \`CancellationToken\` | Java \`CompletableFuture\` |"
  echo "| --- | ---: | ---: | ---: | ---: | ---: |"
  while IFS='=' read -r row work; do
    line="| $work"
    for column in ours stop_token context tokio java; do
      value=$(sed -n "s/^$row //p" "$folder/figures/$column" 2> /dev/null || true)
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
for language in "${missing[@]}"; do echo "left out: $language" >&2; done
cat "$folder/table"

if [[ -n ${UPDATE:-} ]]; then Scripts/put.sh Benchmarks/README.md languages < "$folder/table"; fi
