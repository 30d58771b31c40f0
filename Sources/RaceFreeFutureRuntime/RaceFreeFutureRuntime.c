// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The header is all; a target has to have a source file.
#include "RaceFreeFutureRuntime.h"
