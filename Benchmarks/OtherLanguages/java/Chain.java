// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.CompletableFuture;

/** What a chain of stages costs. Prints one line a row: its name and nanoseconds a piece. */
final class Chain {
  private static final int RUNS = 400, PIECES = 2000;
  private static int sum;

  public static void main(String[] arguments) {
    for (int warmUp = 0; warmUp < 50; warmUp++) chains(PIECES);
    double least = Double.POSITIVE_INFINITY;
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      chains(PIECES);
      least = Math.min(least, (System.nanoTime() - start) / (double) PIECES);
    }
    System.out.printf("maps %.0f%n", least);
    if (sum == 0) throw new AssertionError("nothing was done");
  }

  private static void chains(int count) {
    for (int i = 0; i < count; i++) {
      CompletableFuture<Integer> first = new CompletableFuture<>();
      CompletableFuture<Integer> last = first;
      for (int stage = 0; stage < 10; stage++) last = last.thenApply(value -> value + 1);
      last.thenAccept(value -> sum += value);
      first.complete(i);
    }
  }
}
