// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// The orders that an exploration runs, and its limits: one value with all options.
public struct Search: Sendable {
  enum Orders: Sendable {
    case exhaustive(maxOrders: Int?)
    case sample(orders: Int)
    case replay(String)
    case once
  }

  let orders: Orders
  /// The number of steps after which an order has no end; at least 1.
  ///
  /// It counts once for every ten tasks and threads of the order, up to a hundred times.
  public var maxSteps = 1_000
  /// The time after which no further order begins; nil: there is no limit.
  ///
  /// At least one order is run.
  public var duration: Duration?
  /// The maximum number of forced switches of an order that isn't drawn at random; nil: there is no limit.
  ///
  /// With a limit, all orders up to it are run, even those that show the same as others, and none is drawn at random.
  public var maxSwitches: Int?
  /// The seed of random orders; nil: the environment variable `RACEFREEFUTURE_SEED`, or a new one if it isn't set.
  public var seed: UInt64?
  /// The ways in which orders are drawn at random, in turn; none: a search draws none.
  @_spi(Drawing) public var ways: [Way] = Way.usual

  /// A way in which the lines of an order are drawn.
  @_spi(Drawing) public enum Way: CaseIterable, Sendable {
    /// Each choice by itself.
    case uniform
    /// By priorities that change at a few steps (``PriorityDraw``).
    case priorities
    /// By priorities that change where steps conflict (``ConflictDraw``).
    case conflicts
    /// By the steps that lines have ahead of them (``WeightedDraw``).
    case weights

    /// Those that find most, those that find it first more often; with priorities it is known how likely they are to.
    static let usual: [Way] = [
      .weights, .conflicts, .weights, .conflicts, .weights, .conflicts, .priorities, .uniform,
    ]
  }

  /// The number of orders of an exploration, unless another one is given.
  ///
  /// Of tasks, which take longer, a debug build runs fewer, so that it ends in seconds.
  static func usualOrders(ofTasks: Bool) -> Int {
    #if DEBUG
      ofTasks ? 3_000 : 20_000
    #else
      20_000
    #endif
  }

  /// All orders, those with the fewest forced switches first.
  ///
  /// A *forced switch* is one from an actor or queue that could have continued; most bugs need one or two. If there are
  /// more than `maxOrders`, a quarter of them is drawn at random, as by ``sample(orders:for:maxSteps:seed:)``, and the
  /// report says what was left out. If threads have many races, one in 32 is drawn first.
  ///
  /// Of orders of tasks, those come first that can be told apart if the tasks share only actors and primitives of
  /// ``Explored``: mostly few.
  ///
  /// - Parameters:
  ///   - maxOrders: The maximum number of orders; nil: 20,000, and 3,000 for tasks in a debug build.
  ///   - duration: The time after which no further order begins; nil: there is no limit.
  ///   - maxSwitches: The maximum number of forced switches of an order; nil: there is no limit.
  ///   - maxSteps: The number of steps after which an order has no end.
  ///   - seed: The seed of random orders.
  /// - Returns: The options.
  public static func exhaustive(
    maxOrders: Int? = nil,
    for duration: Duration? = nil,
    maxSwitches: Int? = nil,
    maxSteps: Int = 1_000,
    seed: UInt64? = nil
  ) -> Search {
    Search(
      orders: .exhaustive(maxOrders: maxOrders),
      maxSteps: maxSteps,
      duration: duration,
      maxSwitches: maxSwitches,
      seed: seed
    )
  }

  /// That many orders drawn at random: for scenarios that are too large to begin in order.
  ///
  /// The report counts those that differ. They are drawn in several ways in turn. Three eighths each: by the numbers of
  /// steps that all have ahead of them, counted in the longest order (selectively uniform random walk, Zhao and others,
  /// 2025); by a priority for each step, drawn again where another step conflicts with it (partial order sampling, Yuan
  /// and others, 2018). An eighth each: every choice by itself; by priorities, with which the running actor continues as
  /// long as it can, except for one or two switches in random places. The last shows a mistake that needs one switch in
  /// the right place with a probability of at least 1 in n · k, for n actors and k steps (probabilistic concurrency
  /// testing, Burckhardt and others, 2010).
  ///
  /// - Parameters:
  ///   - orders: The number of orders.
  ///   - duration: The time after which no further order begins; nil: there is no limit.
  ///   - maxSteps: The number of steps after which an order has no end.
  ///   - seed: The seed of random orders.
  /// - Returns: The options.
  public static func sample(
    orders: Int,
    for duration: Duration? = nil,
    maxSteps: Int = 1_000,
    seed: UInt64? = nil
  ) -> Search {
    Search(orders: .sample(orders: orders), maxSteps: maxSteps, duration: duration, seed: seed)
  }

  /// The one order that a report named.
  ///
  /// If the text ends before the order does, the last actor continues.
  public static func replay(_ order: String) -> Search { Search(orders: .replay(order)) }

  /// One order, the same each time: nobody is interrupted, and who could continue first does, as on a serial executor.
  ///
  /// For tests that follow an order step by step; with ``TaskScenario/settle()`` they look when nothing is left to do.
  /// Nothing is concluded about other orders.
  public static var once: Search { Search(orders: .once) }

  /// All orders, at most 20,000; of tasks in a debug build, at most 3,000.
  public static var exhaustive: Search { exhaustive() }
}
