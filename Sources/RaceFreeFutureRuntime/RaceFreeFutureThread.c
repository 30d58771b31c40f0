// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "RaceFreeFutureRuntime.h"

__thread long rff_heldQueueCount;
__thread void *rff_trampoline;
