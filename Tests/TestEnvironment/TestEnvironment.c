// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "TestEnvironment.h"

#include <stdlib.h>

/// Whether this is the program of one exit test; the test library takes the variable away once it has read it.
static int isExitTest = 0;

// Before `main`, while there is one thread, and before anybody has asked.
__attribute__((constructor)) static void setTestEnvironment(void) {
  // The test library starts all tests at once. A thousand that take turns would wait for minutes between two steps of
  // theirs, and those that hold a thread of Dispatch could take all 255. Swift before 6.3 doesn't know this variable.
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
  // A gate gives up after a quarter of an hour, and not after a minute: only a test that fails waits for long, and a
  // machine that is busy with other things may be that slow.
  setenv("RACEFREEFUTURE_PATIENCE", "15", 0);
  isExitTest = getenv("SWT_EXIT_TEST_ID") != NULL;
}

// Asked by the leak check of AddressSanitizer. The program of an exit test may end while Dispatch begins a thread, whose
// stack isn't searched then, so that what it holds looks like a leak. Other tests make the same things, and are checked.
int __lsan_is_turned_off(void) { return isExitTest; }

bool isSanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
}
