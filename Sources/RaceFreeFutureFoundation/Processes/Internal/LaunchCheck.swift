// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// Throws if it is certain that a process can't be launched.
  ///
  /// On Linux Foundation never closes two sockets of a launch that the system refused, nor releases the process, and
  /// nobody else can: so what can be known is asked before. What can't be known remains: no memory, too many
  /// processes, a broken binary. That there is an executable file Foundation asks in time.
  ///
  /// - Throws: What Foundation would throw, but with the path that is at fault.
  func checkLaunch(of process: Process) throws {
    // The dot is looked up as a change of directory would do it, with the same errors.
    if let directory = process.currentDirectoryURL?.path, let code = failureOfStatus(directory + "/.") {
      throw refusal(code, directory)
    }
    #if os(Linux) || os(Android)
      let path = process.executableURL?.path ?? ""
      try checkFormat(path, process.currentDirectoryURL?.path ?? "")
      try checkSize(path, process.arguments ?? [], process.environment ?? ProcessInfo.processInfo.environment)
    #endif
  }

  private func failureOfStatus(_ path: String) -> Int32? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? nil : errno
  }

  private func refusal(_ code: Int32, _ path: String) -> CocoaError {
    let cocoaCode: CocoaError.Code =
      switch code {
      case ENOENT: .fileReadNoSuchFile
      case EACCES: .fileReadNoPermission
      default: .fileReadUnknown
      }
    let underlying = POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    return CocoaError(cocoaCode, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying])
  }

  #if os(Linux) || os(Android)
    /// Looks at the beginning of the executable, and of the interpreters that it names.
    private func checkFormat(_ executable: String, _ directory: String) throws {
      var path = executable
      // A script may have a script as interpreter, but not for ever.
      for depth in 0...5 {
        var status = stat()
        let failure = unsafe stat(path, &status) == 0 ? nil : errno
        if depth > 0 {
          if let failure { throw refusal(failure, path) }
          guard status.st_mode & S_IFMT == S_IFREG, mayBeExecuted(path) else { throw refusal(EACCES, path) }
        }
        // What it is if it isn't a file is Foundation's business; and one may execute what one may not read.
        guard failure == nil, status.st_mode & S_IFMT == S_IFREG, let head = head(of: path) else { return }
        if head.starts(with: [0x7F] + "ELF".utf8) { return }
        guard head.starts(with: "#!".utf8) else {
          if systemKnowsOtherFormats() { return }
          throw refusal(ENOEXEC, path)
        }
        let blanks = Set(" \t".utf8)
        let name = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
          .drop { blanks.contains($0) }.prefix { !blanks.contains($0) }
        if name.isEmpty || name.endIndex == headSize { throw refusal(ENOEXEC, path) }
        guard let interpreter = String(validating: name, as: UTF8.self) else { return }
        path = interpreter.hasPrefix("/") ? interpreter : "\(directory)/\(interpreter)"
      }
      throw refusal(ELOOP, executable)
    }

    /// How much of a file the kernel looks at.
    private let headSize = 256

    private func head(of path: String) -> [UInt8]? {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { closeDescriptor(descriptor) }
      var bytes = Array(repeating: UInt8(0), count: headSize)
      let count = unsafe read(descriptor, &bytes, headSize)
      return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Asks for the user who the child will be; not where the system can't.
    private func mayBeExecuted(_ path: String) -> Bool {
      unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 || errno == EINVAL
    }

    /// Whether somebody has told the kernel how to run what is neither a binary nor a script.
    func systemKnowsOtherFormats() -> Bool {
      let formats = try? FileManager.default.contentsOfDirectory(atPath: "/proc/sys/fs/binfmt_misc")
      return formats?.contains { $0 != "register" && $0 != "status" } ?? false
    }

    /// Compares the arguments and the environment with what the kernel takes: a quarter of the stack, and a string of
    /// 32 pages.
    private func checkSize(_ executable: String, _ arguments: [String], _ environment: [String: String]) throws {
      let strings = [executable] + arguments + environment.map { "\($0)=\($1)" }
      // Each with the zero at its end.
      let sizes = strings.map { $0.utf8.prefix { $0 != 0 }.count + 1 }
      let all = sizes.reduce(0) { $0 + $1 + MemoryLayout<Int>.size }
      var stack = rlimit()
      // RLIMIT_STACK, whose type is another one in each C library.
      guard unsafe getrlimit(.init(3), &stack) == 0 else { return }
      let limit = max(128 << 10, min(6 << 20, stack.rlim_cur / 4))
      if all > limit || (sizes.max() ?? 0) > 32 * sysconf(Int32(_SC_PAGESIZE)) {
        throw POSIXError(.E2BIG)
      }
    }
  #endif
#endif
