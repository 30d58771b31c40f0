// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// Throws if it is certain that a process can't be launched.
  ///
  /// On Linux Foundation never closes two sockets of a launch that the system refused, nor releases the process, and no
  /// other code can: so every cause that can be known is checked before. Causes that can't be known remain: no memory,
  /// too many processes, a broken binary. Foundation itself checks in time that there is an executable file.
  ///
  /// - Throws: The error that Foundation would throw, but with the path that is at fault; `POSIXError.EINVAL` for a
  ///   string with a NUL character, at which the system would cut it off, and for a variable's name with an equals sign.
  func checkLaunch(of process: Process) throws {
    let variables = process.environment?.flatMap { [$0, $1] } ?? []
    let paths = [process.executableURL?.path, process.currentDirectoryURL?.path].compactMap(\.self)
    guard !(paths + (process.arguments ?? []) + variables).contains(where: { $0.utf8.contains(0) }) else {
      let text = "A path, an argument or a variable of the process contains a NUL character."
      throw POSIXError(.EINVAL, userInfo: [NSLocalizedDescriptionKey: text])
    }
    guard process.environment?.keys.contains(where: { $0.utf8.contains(UInt8(ascii: "=")) }) != true else {
      let text = "The name of a variable of the process contains an equals sign: it would set another one."
      throw POSIXError(.EINVAL, userInfo: [NSLocalizedDescriptionKey: text])
    }
    // The dot is looked up as `chdir` would, with the same errors.
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
    /// Checks the beginning of the executable, and of the interpreters that it names.
    private func checkFormat(_ executable: String, _ directory: String) throws {
      var path = executable
      // A script may have a script as its interpreter, but not without end.
      for depth in 0...5 {
        var status = stat()
        let failure = unsafe stat(path, &status) == 0 ? nil : errno
        if depth > 0 {
          if let failure { throw refusal(failure, path) }
          guard status.st_mode & S_IFMT == S_IFREG, mayBeExecuted(path) else { throw refusal(EACCES, path) }
        }
        // Foundation checks what isn't a file; and a file may be executable without being readable.
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

    /// The number of bytes of a file that the kernel examines.
    private let headSize = 256

    private func head(of path: String) -> [UInt8]? {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      defer { closeDescriptor(descriptor) }
      var bytes = Array(repeating: UInt8(0), count: headSize)
      let count = unsafe read(descriptor, &bytes, headSize)
      return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Returns true if the user of the child may execute the file, as far as the system can tell.
    private func mayBeExecuted(_ path: String) -> Bool {
      unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 || errno == EINVAL
    }

    /// True if the kernel is configured to run formats other than binaries and scripts.
    func systemKnowsOtherFormats() -> Bool {
      let formats = try? FileManager.default.contentsOfDirectory(atPath: "/proc/sys/fs/binfmt_misc")
      return formats?.contains { $0 != "register" && $0 != "status" } ?? false
    }

    /// Compares the arguments and the environment with the limits of the kernel: a quarter of the stack, and a string
    /// of 32 pages.
    private func checkSize(_ executable: String, _ arguments: [String], _ environment: [String: String]) throws {
      let strings = [executable] + arguments + environment.map { "\($0)=\($1)" }
      // Each with the zero at its end.
      let sizes = strings.map { $0.utf8.count + 1 }
      let all = sizes.reduce(0) { $0 + $1 + MemoryLayout<Int>.size }
      var stack = rlimit()
      // RLIMIT_STACK, whose type differs between C libraries.
      guard unsafe getrlimit(.init(3), &stack) == 0 else { return }
      let limit = max(128 << 10, min(6 << 20, stack.rlim_cur / 4))
      if all > limit || (sizes.max() ?? 0) > 32 * sysconf(Int32(_SC_PAGESIZE)) {
        throw POSIXError(.E2BIG)
      }
    }
  #endif
#endif
