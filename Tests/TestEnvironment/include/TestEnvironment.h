// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Nothing to call: what is linked with it has the environment that the tests need, unless the caller has set another.
