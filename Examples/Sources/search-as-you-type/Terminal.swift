// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFuture
import Synchronization

/// Lets the user type on the terminal, and shows the results.
final class Terminal: Sendable {
  private struct State {
    var text = ""
    var count = 0
    /// The last result; empty while nothing is typed.
    var found = ""

    var shown: String { text.isEmpty ? "type the beginning of a word" : found }
  }

  /// The settings of the terminal before, and while the user types.
  private struct Modes: Sendable {
    let usual: termios
    let raw: termios
  }

  private let search: Search
  private let screen: DispatchQueue
  /// Completed when typing ends; the sources end with it.
  private let typing = ValueFuture<Int32>(label: "typing")
  private let state = Mutex(State())

  init(_ search: Search, screen: DispatchQueue) {
    self.search = search
    self.screen = screen
  }

  /// Lets the user type, and returns the exit status when the terminal is restored.
  func run() async -> Int32 {
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return 1 }
    var raw = settings
    // Ctrl-C and similar keys come as bytes, and nothing is echoed.
    raw.c_lflag &= ~(tcflag_t(ICANON) | tcflag_t(ECHO) | tcflag_t(ISIG) | tcflag_t(IEXTEN))
    let modes = Modes(usual: settings, raw: raw)
    for number in [SIGINT, SIGTERM, SIGHUP] { end(at: number) }
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: screen)
    keys.setEventHandler { [self] in takeKeys(modes) }

    enter(modes)
    screen.async { [self] in draw() }
    // Queued behind any drawing of that moment.
    typing.onCleanUp(on: screen) { [self] in
      search.clear()
      leave(modes)
    }
    typing.attach(keys)
    _ = await typing.handlersFinished
    return (try? typing.result?.get()) ?? 1
  }

  private func end(at number: Int32) {
    #if canImport(Darwin)
      // Dispatch sees the signal also when the process ignores it. On Linux Dispatch itself prevents the signal from
      // ending the process.
      _ = signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: screen)
    source.setEventHandler { [typing] in typing.complete(with: 128 + number) }
    typing.attach(source)
  }

  /// Takes the whole screen, and gets each key as it is pressed.
  private func enter(_ modes: Modes) {
    _ = unsafe withUnsafePointer(to: modes.raw) { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, $0) }
    write("\u{1B}[?1049h")
  }

  /// Gives back the screen as it was.
  private func leave(_ modes: Modes) {
    write("\u{1B}[?1049l")
    _ = unsafe withUnsafePointer(to: modes.usual) { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, $0) }
  }

  /// Stops the process, as Ctrl-Z does elsewhere, until the shell lets it go on.
  private func suspend(_ modes: Modes) {
    leave(modes)
    // The threads of Dispatch block the signal.
    var (stop, mask) = (sigset_t(), sigset_t())
    // Safe: both sets live through the calls.
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &mask)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    enter(modes)
    draw()
  }

  private func takeKeys(_ modes: Modes) {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    // Escape, or the terminal is closed.
    guard count > 0, bytes[0] != 27 || count > 1 else { return typing.complete(with: 0) }
    // An arrow key, for example.
    if bytes[0] == 27 { return }
    for byte in bytes.prefix(count) {
      switch byte {
      case 3: return typing.complete(with: 128 + SIGINT)
      case 4, 10, 13: return typing.complete(with: 0)
      case 8, 127: type { _ = $0.popLast() }
      case 21: type { $0 = "" }
      case 26: suspend(modes)
      case 32...126: type { $0.append(Character(Unicode.Scalar(byte))) }
      default: break
      }
    }
  }

  private func type(_ change: (inout String) -> Void) {
    let query = state.withLock { state in
      change(&state.text)
      state.count += 1
      if state.text.isEmpty { state.found = "" }
      return Query(number: state.count, text: state.text)
    }
    if query.text.isEmpty {
      search.clear()
    } else {
      _ = search.type(query) { [self] result in
        state.withLock { $0.found = Self.lines(result) }
        draw()
      }
    }
    draw()
  }

  private static func lines(_ result: Result<Answer, any Error>) -> String {
    switch result {
    case .success(let answer): answer.words.isEmpty ? "no such word" : answer.words.joined(separator: "\r\n  ")
    case .failure(let error): "\(error)"
    }
  }

  /// Runs on the screen's queue.
  private func draw() {
    guard typing.isPending else { return }
    let (text, shown) = state.withLock { ($0.text, $0.shown) }
    // The cursor is left after the text.
    write("\u{1B}[H\u{1B}[J\r\n\r\n  \(shown)\r\n\r\n(Enter, Esc or Ctrl-C ends)\u{1B}[Hsearch: \(text)")
  }

  private func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
