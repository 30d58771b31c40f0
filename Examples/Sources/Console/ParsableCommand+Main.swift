// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import ArgumentParser
import Foundation

extension ParsableCommand {
  /// Runs the command with the arguments of the process.
  ///
  /// Bad arguments get one line, and the exit status 64.
  public static func runAsMain() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  /// Runs a command that blocks its thread where it waits.
  public static func runAsBlockingMain() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    if exitCode(for: error) == .success {
      Console.write(fullMessage(for: error, columns: .max).fittingHelp(to: Console.width))
      exit(withError: ExitCode.success)
    }
    guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
    let name = configuration.commandName ?? "\(self)"
    FileHandle.standardError.write(Data("\(name): \(message(for: error)) (see \(name) --help)\n".utf8))
    exit(withError: ExitCode.validationFailure)
  }
}
