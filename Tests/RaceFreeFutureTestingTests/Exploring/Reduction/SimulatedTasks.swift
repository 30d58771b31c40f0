// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

/// A program of tasks in the middle of an order, without tasks: what each of them does next is data, and so are the queues
/// of actors.
///
/// It shows the outcomes of all orders, whatever the explorer believes of them: no step is left out, and nothing of the
/// runtime takes part.
struct SimulatedTasks: Hashable {
  private struct Simulated: Hashable {
    /// The number that its calls say; a child has that of its parent.
    let number: Int
    var actions: ArraySlice<RandomTasks.Action>
    var parent: Int?
    var isWaiting = false
    var hasEnded = false
    var isCancelled = false
    var seen: [Int] = []
    /// The results of its children, in the order of their ends, and how many it still awaits.
    var results: [Int] = []
    var awaited = 0
    var sum = 0
    /// True if it doesn't look at these results.
    var drops = false
  }

  private enum Call: Hashable { case add, enter, goOn, open }

  private struct Job: Hashable {
    let task: Int
    let call: Call
  }

  private static let (main, gate) = (2, 3)

  private var tasks: [Simulated]
  /// The queues of the two counters, the main actor and the gate.
  private var queues: [[Job]] = [[], [], [], []]
  private var logs: [[Int]] = [[], [], []]
  private var isOpen = false
  private var waiting: [Int] = []
  /// The task that is opening the gate, and the number of those that it has resumed.
  private var opening: (task: Int, count: Int)? {
    get { opener.map { ($0, resumed) } }
    set { (opener, resumed) = (newValue?.task, newValue?.count ?? 0) }
  }
  private var (opener, resumed): (Int?, Int) = (nil, 0)
  private var last = 0
  private var locked: [Int] = []

  /// Returns the outcomes of all orders; nil if there are too many states.
  static func outcomes(of program: RandomTasks, most: Int = 100_000) -> Set<String>? {
    var (outcomes, known, open): (Set<String>, Set<Self>, [Self]) = ([], [], [Self(program)])
    while let state = open.popLast() {
      let next = state.next
      if next.isEmpty { outcomes.insert("\(state.tasks.prefix(program.tasks.count).map(\.seen))") }
      open += next.filter { known.insert($0).inserted }
      if known.count > most { return nil }
    }
    return outcomes
  }

  private init(_ program: RandomTasks) {
    tasks = (program.tasks + [program.body]).enumerated().map { Simulated(number: $0, actions: $1[...]) }
  }

  /// The states after each step that is possible here.
  private var next: [Self] {
    var next: [Self] = []
    for task in tasks.indices where !tasks[task].hasEnded && !tasks[task].isWaiting {
      var state = self
      if state.act(task) { next.append(state) }
    }
    for queue in queues.indices where !queues[queue].isEmpty && (queue != Self.gate || opener == nil) {
      var state = self
      state.serve(queue)
      next.append(state)
    }
    if let opening {
      var state = self
      state.resume(opening)
      next.append(state)
    }
    return next
  }

  // MARK: Tasks

  /// Takes the next step of a task; returns false if it isn't possible.
  private mutating func act(_ task: Int) -> Bool {
    if tasks[task].awaited > 0 { return collect(task) }
    guard let action = tasks[task].actions.popFirst() else {
      tasks[task].hasEnded = true
      if let parent = tasks[task].parent { tasks[parent].results.append(tasks[task].seen[0]) }
      return true
    }
    let number = tasks[task].number
    var seen = 0
    switch action {
    case .call(let counter): return call(task, counter, .add)
    case .callMain: return call(task, Self.main, .add)
    case .child: return call(task, 0, .add)
    case .enter: return call(task, Self.gate, .enter)
    case .open: return call(task, Self.gate, .open)
    case .yield: break
    case .cancel(let other): tasks[other].isCancelled = true
    case .isCancelled: seen = tasks[task].isCancelled ? 1 : 0
    case .await(let other):
      guard tasks[other].hasEnded else { return false }
      seen = tasks[other].seen.count
    case .group, .drain:
      tasks[task].drops = action == .drain
      for counter in 0...1 { tasks.append(Simulated(number: number, actions: [.call(counter)], parent: task)) }
      (tasks[task].awaited, tasks[task].sum) = (2, 0)
      return true
    case .load: seen = last
    case .store: last = number + 1
    case .lock:
      locked.append(number)
      seen = Self.sum(locked)
    }
    tasks[task].seen.append(seen)
    return true
  }

  private mutating func collect(_ task: Int) -> Bool {
    if tasks[task].results.isEmpty { return false }
    tasks[task].sum = tasks[task].sum * 100 + tasks[task].results.removeFirst()
    tasks[task].awaited -= 1
    if tasks[task].awaited == 0 { tasks[task].seen.append(tasks[task].drops ? 0 : tasks[task].sum) }
    return true
  }

  // MARK: Actors

  private mutating func call(_ task: Int, _ queue: Int, _ call: Call) -> Bool {
    queues[queue].append(Job(task: task, call: call))
    tasks[task].isWaiting = true
    return true
  }

  private mutating func serve(_ queue: Int) {
    let job = queues[queue].removeFirst()
    switch job.call {
    case .add:
      logs[queue].append(tasks[job.task].number)
      goOn(job.task, Self.sum(logs[queue]))
    case .enter: if isOpen { goOn(job.task, 0) } else { waiting.append(job.task) }
    case .goOn: goOn(job.task, 1)
    case .open:
      isOpen = true
      if waiting.isEmpty { goOn(job.task, 0) } else { opening = (job.task, 0) }
    }
  }

  /// Resumes one of those that wait at the gate: others may come to its queue between two of them.
  private mutating func resume(_ opening: (task: Int, count: Int)) {
    queues[Self.gate].append(Job(task: waiting[opening.count], call: .goOn))
    self.opening = (opening.task, opening.count + 1)
    guard opening.count + 1 == waiting.count else { return }
    goOn(opening.task, waiting.count)
    (waiting, self.opening) = ([], nil)
  }

  private mutating func goOn(_ task: Int, _ result: Int) {
    tasks[task].isWaiting = false
    tasks[task].seen.append(result)
  }

  private static func sum(_ numbers: [Int]) -> Int { numbers.reduce(0) { $0 * 4 + $1 + 1 } }
}
