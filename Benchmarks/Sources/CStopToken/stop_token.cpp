// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CStopToken.h"
#include <stop_token>

extern "C" long stop_callbacks(long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) {
    std::stop_source source;
    std::stop_callback callback(source.get_token(), [&sum, i] { sum += i; });
    source.request_stop();
  }
  return sum;
}

namespace {
// The library has no linked sources: a callback of the parent makes one.
struct Stop {
  std::stop_source source;
  void operator()() { source.request_stop(); }
};
}

extern "C" void stop_children(long count) {
  static std::stop_source parent;
  for (long i = 0; i < count; ++i) {
    std::stop_source source;
    std::stop_callback<Stop> link(parent.get_token(), Stop{source});
  }
}
