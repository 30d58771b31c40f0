// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a stop source with one callback and requests the stop, so many times; returns a sum that depends on all.
long stop_callbacks(long count);

/// Makes a stop source that is stopped with one that lives on, and ends it, so many times.
void stop_children(long count);

#ifdef __cplusplus
}
#endif
