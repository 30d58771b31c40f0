# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# How build.sh, test.sh and others, which source this file, compile: for debugging, in a folder that they share, so that
# all is compiled once. No warnings, and every public type of the library has to say whether it is Sendable. The explorer is
# optimized: with it, explorations take a third of the time, and all else stays as those who use it in tests have it.
export RACEFREEFUTURE_FAST=1
strict=(--scratch-path .build-strict -Xswiftc -require-explicit-sendable -Xswiftc -warnings-as-errors)
# Each batch of files expands the macros of all tests once more: one batch a module, and the modules beside each other.
strict+=(-Xswiftc -driver-batch-count -Xswiftc 1)
# An index of the system's modules compiles some of their interfaces. After it the compiler takes its types for others than
# before, and the first change of the library compiles tests anew that it doesn't concern.
strict+=(-Xswiftc -index-ignore-system-modules)

# Compiles the library if necessary, and sets `search` to the options with which a compiler finds its modules.
find_modules() {
  local folder map
  swift build "${strict[@]}"
  folder=$(swift build "${strict[@]}" --show-bin-path)
  search=(-I "$folder/Modules")
  for map in "$folder"/*.build/module.modulemap; do search+=(-Xcc "-fmodule-map-file=$map"); done
}

# How tests run: from the copy of what is compiled that build.sh makes, so that the sanitizers may compile the library anew
# meanwhile.
copied=(--scratch-path .build-tests)

# Compiles the tests, unless make has.
compile_tests() {
  if [[ -z ${MAKELEVEL:-} ]]; then Scripts/build.sh; fi
}
