// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting
import Testing

/// Uploads one file at a time, in the order in which they came.
actor UploadQueue {
  private var last: Task<Void, Never>?
  private let upload: @Sendable (String) async -> Void

  init(upload: @escaping @Sendable (String) async -> Void) { self.upload = upload }

  @discardableResult
  func add(_ file: String) -> Task<Void, Never> {
    let task = Task { [last, upload] in
      await last?.value
      await upload(file)
    }
    last = task
    return task
  }
}

@Suite(.explored) struct UploadQueueTests {
  @Test(arguments: [2, 3]) func `one file at a time is uploaded`(count: Int) async {
    let (running, most) = (Variable(0), Variable(0))
    let queue = UploadQueue { _ in
      running.value += 1
      most.value = max(most.value, running.value)
      await Task.yield()
      running.value -= 1
    }
    await withTaskGroup { group in
      for number in 0..<count {
        group.addTask { await queue.add("\(number)").value }
      }
    }
    #expect(most.value == 1)
  }

  @Test func `a file that is added first is uploaded first`() async {
    let log = Variable("")
    let queue = UploadQueue { log.value += $0 }
    await queue.add("a")
    await queue.add("b").value
    #expect(log.value == "ab")
  }
}
