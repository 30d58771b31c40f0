// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import ArgumentParser
import Foundation
import Synchronization

extension ParsableCommand {
  /// Runs the command with the arguments of the process.
  ///
  /// Bad arguments get one line, and the exit status 64. Output that is lost gets the exit status 1.
  public static func runAsMain() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      try checkOutput()
    } catch {
      end(with: error)
    }
  }

  /// Runs a command that blocks its thread where it waits.
  public static func runAsBlockingMain() {
    do {
      var command = try parseAsRoot()
      try command.run()
      try checkOutput()
    } catch {
      end(with: error)
    }
  }

  /// Throws if standard output has not taken everything.
  private static func checkOutput() throws {
    // Also what `print` has kept so far.
    let isFlushed = fflush(nil) == 0
    if isFlushed, !Console.hasLostOutput.load(ordering: .relaxed) { return }
    Console.writeError("\(configuration.commandName ?? "\(self)"): cannot write to standard output\n")
    throw ExitCode.failure
  }

  private static func end(with error: any Error) -> Never {
    if exitCode(for: error) == .success {
      Console.write(fullMessage(for: error, columns: .max).fittingHelp(to: Console.width))
      exit(withError: ExitCode.success)
    }
    guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
    let name = configuration.commandName ?? "\(self)"
    Console.writeError("\(name): \(message(for: error)) (see \(name) --help)\n")
    exit(withError: ExitCode.validationFailure)
  }
}
