// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CRaceFreeFuture.h"

__thread long rff_heldQueueCount;
__thread void *rff_trampoline;
