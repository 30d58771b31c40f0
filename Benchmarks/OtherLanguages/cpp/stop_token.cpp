// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What a stop source costs. Prints one line a row: its name and nanoseconds a piece.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

constexpr int runs = 400, pieces = 2000, width = 1000;

// Tells how long one piece of the work takes in the best of many short runs.
template <typename Work> void best(const char *row, Work work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    auto start = std::chrono::steady_clock::now();
    work(pieces);
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / pieces);
  }
  std::printf("%s %.0f\n", row, least);
}

// A source that is stopped with its parent: the library has no such thing, but a callback of the parent makes one.
struct Child {
  struct Stop {
    std::stop_source source;
    void operator()() { source.request_stop(); }
  };
  std::stop_source source;
  std::stop_callback<Stop> link;
  explicit Child(std::stop_token parent) : link(std::move(parent), Stop{source}) {}
};

int main() {
  long sum = 0;
  best("callback", [&](int count) {
    for (int i = 0; i < count; ++i) {
      std::stop_source source;
      std::stop_callback callback(source.get_token(), [&] { sum += i; });
      source.request_stop();
    }
  });
  best("cancel", [&](int count) {
    for (int i = 0; i < count; ++i) {
      std::stop_source source;
      sum += source.request_stop();
    }
  });
  std::stop_source parent;
  best("child", [&](int count) {
    for (int i = 0; i < count; ++i) Child child(parent.get_token());
  });
  best("wide", [&](int count) {
    for (int i = 0; i < count / width; ++i) {
      std::stop_source root;
      std::vector<std::unique_ptr<Child>> children;
      children.reserve(width);
      for (int child = 0; child < width; ++child) children.push_back(std::make_unique<Child>(root.get_token()));
      root.request_stop();
      sum += children.back()->source.stop_requested();
    }
  });
  return sum == 0;
}
