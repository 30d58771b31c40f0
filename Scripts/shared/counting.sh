# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Counts instructions and atomic operations with callgrind, for bench-check.sh and bench-cost.sh, which source this file.
. Scripts/shared/clients.sh

# Builds the benchmarks and makes what the other functions need, in a folder that goes with the script.
prepare_counting() {
  swift build "${release[@]}" --package-path Benchmarks
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  # Older versions of valgrind can't read the debug information that Swift writes, and nobody needs it here.
  program=$folder/benchmarks
  cp "$(swift build "${release[@]}" --package-path Benchmarks --show-bin-path)/benchmarks" "$program"
  strip --strip-debug "$program"
  same_addresses=()
  if setarch -R true 2> /dev/null; then same_addresses=(setarch -R); fi
}

# profile <row> [--peer]: runs the row under callgrind and prints its number of pieces. The profiles are
# $folder/profile.1 (the warm-up), .2 (so many pieces), .3 (twice as many), .4 (what comes after).
#
# Each has a process of its own, so that none finds the allocator in the state in which another left it.
profile() {
  rm -f "$folder"/profile*
  SWIFT_DETERMINISTIC_HASHING=1 "${same_addresses[@]}" valgrind --tool=callgrind --dump-line=no \
    --dump-instr=yes --compress-pos=no --compress-strings=no --callgrind-out-file="$folder/profile" --zero-before=begin_counting --dump-after=end_counting \
    "$program" --count-only "$@" 2> "$folder/log" || {
    cat "$folder/log" >&2
    return 1
  }
}

# count <row> [--peer]: prints the instructions of one piece, and the atomic operations among them.
count() {
  local pieces
  pieces=$(profile "$@")
  { python3 Scripts/shared/counting.py "$folder/profile.2" && python3 Scripts/shared/counting.py "$folder/profile.3"; } |
    awk -v pieces="$pieces" '
      NR == 1 { instructions = $1; atomic = $2 }
      END { printf "%.1f %.1f\n", ($1 - instructions) / pieces, ($2 - atomic) / pieces }'
}
