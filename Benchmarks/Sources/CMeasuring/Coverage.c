// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CMeasuring.h"

#include <stdio.h>
#include <unistd.h>

#ifdef RFF_COVERAGE

// Of the runtime of LLVM, which is linked with what is compiled for coverage.
extern void __llvm_profile_reset_counters(void);
extern int __llvm_profile_write_file(void);

void begin_coverage(void) { __llvm_profile_reset_counters(); }

// The handler that runs at a usual exit would write once more, with what has run since.
void write_coverage(void) { _exit(__llvm_profile_write_file()); }

#else

void begin_coverage(void) {
  fputs("not compiled for coverage: run Scripts/walks.sh\n", stderr);
  _exit(1);
}

void write_coverage(void) {}

#endif
