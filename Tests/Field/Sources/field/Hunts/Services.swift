// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Logging
import RaceFreeFutureTesting
import ServiceLifecycle
import ServiceLifecycleTestKit

extension Hunt {
  private static let lifecycle = "swift-service-lifecycle"

  static let services = [
    Hunt(
      name: "services.shutdown",
      package: lifecycle,
      type: "`ServiceGroup`",
      property: "A graceful shutdown ends both services, and `run()`, at whatever time it comes",
      tool: "exploreTasks"
    ) {
      await explored("graceful shutdown", orders: 3_000) { scenario in
        let ended = Variable(0)
        let group = ServiceGroup(
          services: [WaitingService(ended: ended), WaitingService(ended: ended)],
          logger: Logger(label: "field") { _ in SwiftLogNoOpLogHandler() }
        )
        let trigger = Task { await group.triggerGracefulShutdown() }
        try await group.run()
        await trigger.value
        scenario.check(ended.value == 2 || ended.value == 0, "\(ended.value) services ended by themselves")
      }
    },
    Hunt(
      name: "services.cancel",
      package: lifecycle,
      type: "`ServiceGroup`",
      property: "Cancelling the task that runs it ends it",
      tool: "exploreTasks"
    ) {
      await explored("cancellation", orders: 3_000) { _ in
        let group = ServiceGroup(
          services: [WaitingService(ended: Variable(0))],
          logger: Logger(label: "field") { _ in SwiftLogNoOpLogHandler() }
        )
        let run = Task { try? await group.run() }
        let trigger = Task { run.cancel() }
        await trigger.value
        await run.value
      }
    },
    Hunt(
      name: "services.cancel-when",
      package: lifecycle,
      type: "`cancelWhenGracefulShutdown`",
      property: "It returns what its closure returns, whether the shutdown or the end comes first",
      tool: "exploreTasks"
    ) {
      await explored("cancelWhenGracefulShutdown", orders: 5_000) { scenario in
        let value = await testGracefulShutdown { trigger in
          async let triggered: Void = Task { trigger.triggerGracefulShutdown() }.value
          let value: Int? = await cancelWhenGracefulShutdown {
            await Task.yield()
            return 7
          }
          await triggered
          return value
        }
        scenario.check(value == 7, "it returned \(value ?? 0)")
      }
    },
    Hunt(
      name: "services.handler",
      package: lifecycle,
      type: "`withGracefulShutdownHandler`",
      property: "Its handler is called at most once, and always if the shutdown came before the end",
      tool: "exploreTasks"
    ) {
      await explored("withGracefulShutdownHandler") { scenario in
        let calls = Variable(0)
        let isLate = await testGracefulShutdown { trigger in
          async let triggered: Void = Task { trigger.triggerGracefulShutdown() }.value
          let isLate = await withGracefulShutdownHandler {
            await Task.yield()
            return !Task.isShuttingDownGracefully
          } onGracefulShutdown: {
            calls.value += 1
          }
          await triggered
          return isLate
        }
        scenario.check(calls.value == 1 || (isLate && calls.value == 0), "it was called \(calls.value) times")
      }
    },
    Hunt(
      name: "services.handler-asks",
      package: lifecycle,
      type: "`withGracefulShutdownHandler`",
      property: "A handler may ask `Task.isShuttingDownGracefully`",
      tool: "exploreTasks",
      known: ["which it holds already"],
      remark:
        "The handler is called under the lock that the question takes: the thread waits for itself. No report found."
    ) {
      await explored("a handler that asks") { scenario in
        let answers = Variable<[Bool]>([])
        await testGracefulShutdown { trigger in
          trigger.triggerGracefulShutdown()
          await withGracefulShutdownHandler {
          } onGracefulShutdown: {
            answers.value.append(Task.isShuttingDownGracefully)
          }
        }
        scenario.check(answers.value == [true], "the answers are \(answers.value)")
      }
    },
  ]
}

private struct WaitingService: Service {
  let ended: Variable<Int>

  func run() async throws {
    try await gracefulShutdown()
    ended.value += 1
  }
}
