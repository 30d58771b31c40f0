// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import Foundation
public import RaceFreeFuture

// MARK: - Print what is open

extension Scope {
  /// Guards the listeners of signals that print; each is kept until another one takes its place.
  private static let printers = Locked<[ProcessSignal: SignalListener]>([:])

  /// Prints the open work of the program's scopes to standard error whenever the process gets a signal.
  ///
  /// ```swift
  /// Scope.printOpenWork(on: .user1)  // kill -USR1 1234 prints
  /// // service is open, made at Server/main.swift:8
  /// //   connection 7 is open, made at Server/Connection.swift:20
  /// //     upload is pending after 2.0 seconds, made at Server/Upload.swift:12
  /// ```
  ///
  /// It stops nothing. The text is that of `openWork` for each scope that is in no other one and was created after this
  /// call: so make it first. It holds until the process ends, in which the signal has no other effect. It prints on a
  /// thread of a global queue, so it is late if all of these are blocked.
  ///
  /// - Parameter signal: The signal; ignored if it can't be caught.
  public static func printOpenWork(on signal: ProcessSignal) {
    listRoots()
    let listener = SignalListener(for: [signal])
    listener.begin {
      {
        FileHandle.standardError.write(Data("\(openWorkOfRoots)\n".utf8))
        return true
      }
    }
    printers.release { $0.updateValue(listener, forKey: signal) }
  }
}
