// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "TestEnvironment.h"

#include <stdlib.h>

// Before `main`, while there is one thread, and before anybody has asked.
__attribute__((constructor)) static void setTestEnvironment(void) {
  // The test library starts all tests at once. A thousand that take turns would wait for minutes between two steps of
  // theirs, and those that hold a thread of Dispatch could take all 255. Swift before 6.3 doesn't know this variable.
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
  // A gate gives up after a quarter of an hour, and not after a minute: only a test that fails waits for long, and a
  // machine that is busy with other things may be that slow.
  setenv("RACEFREEFUTURE_PATIENCE", "15", 0);
}
