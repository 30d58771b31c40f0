// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Ordinary

// A program without the explorer: the peer of `calls`.
print(Ordinary.costs().map { "\($0)" }.joined(separator: " "))
