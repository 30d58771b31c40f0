// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#ifndef RACE_FREE_FUTURE_INTERRUPTIONS_H
#define RACE_FREE_FUTURE_INTERRUPTIONS_H

#include "CExploring.h"

/// True if the calling thread runs explored code.
bool rff_isInterruptible(void);

/// Calls the handler, if it does.
void rff_interruptAt(int32_t number, uintptr_t first, uintptr_t second);

/// Has the explorer drive a call, if the thread runs explored code; false if that doesn't.
bool rff_drive(int32_t call, const uintptr_t *arguments, uintptr_t *result);

/// True if the program calls, itself or through one of the classes that Foundation has for locks.
///
/// `frame` is that of the function that it calls.
bool rff_isOfUser(uintptr_t caller, const uintptr_t *frame);

/// True if the runtime of Swift has called something.
bool rff_isOfRuntime(uintptr_t caller);

/// True if the program's definitions of the calls of mutexes are those here.
bool rff_ownsMutexCalls(void);

/// Notes that a lock was taken, if it is one of the user's.
void rff_tookLock(void *lock, const char *words, uintptr_t caller, const uintptr_t *frame);

#endif
