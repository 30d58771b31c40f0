// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#ifndef RACE_FREE_FUTURE_SIGNALS_H
#define RACE_FREE_FUTURE_SIGNALS_H

#include <stdbool.h>

/// Makes the pipe into which caught signals are written, a byte with the number for each; to be called once.
///
/// Returns the end to read from, or -1.
int rff_openSignalPipe(void);

/// Has a signal written into the pipe from now on, instead of what it did; false if the system doesn't let it be caught.
bool rff_catchSignal(int signal);

/// Lets a caught signal do again what it did before.
void rff_releaseSignal(int signal);

#endif
