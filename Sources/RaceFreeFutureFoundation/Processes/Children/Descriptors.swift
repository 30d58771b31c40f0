// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// Throws if a launch could run out of descriptors.
  ///
  /// On Linux Foundation doesn't check that it got the socket by which it notices the exit, and continues with 0: it
  /// waits for the standard input of this program, closes it, and reports success. It also fails, every time, if a
  /// descriptor is open that isn't below the limit. It takes 13 descriptors the first time and 5 later, those for a run
  /// loop of the thread included, and two more with Musl; one watches the child. Other threads may take some between this
  /// and the launch: Dispatch takes three for the first timer of the program, and two are for the rest.
  ///
  /// - Parameter sample: Any descriptor that is open.
  /// - Throws: `tooFewDescriptors`.
  func checkSpareDescriptors(_ sample: Int32) throws(ProcessRunError) {
    // All are held at the same time, and released when this returns.
    var held: [Int32] = []
    defer { for descriptor in held { closeDescriptor(descriptor) } }
    while held.count < 19 {
      let copy = fcntl(sample, F_DUPFD_CLOEXEC, 0)
      if copy < 0 { throw .tooFewDescriptors }
      held.append(copy)
    }
    #if os(Linux) || os(Android)
      let limit = sysconf(Int32(_SC_OPEN_MAX))
      // The table is never smaller than the greatest number, and usually far below the limit: the search is rare.
      if tableSize() > limit, greatestDescriptor() >= limit { throw .tooFewDescriptors }
    #endif
  }

  #if os(Linux) || os(Android)
    private func tableSize() -> Int { statusOfMainThread("FDSize").flatMap { Int($0) } ?? .max }

    /// Returns the greatest descriptor that is open; -1 if it can't be known.
    private func greatestDescriptor() -> Int {
      let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      return names?.compactMap { Int($0) }.max() ?? -1
    }

    /// Returns a field of the kernel's status of the main thread, for example `SigBlk`.
    func statusOfMainThread(_ name: String) -> String? {
      let status = try? String(contentsOfFile: "/proc/self/task/\(getpid())/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line.map { $0.dropFirst(name.utf8.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  #endif

  /// Opens the null device in the place of standard streams that are closed; it stays there.
  ///
  /// Otherwise the next descriptor that is opened, here or by Foundation, would be a standard stream of this program,
  /// and printed text would go there. A descriptor that others close later isn't watched.
  func openStandardStreams() throws {
    while (STDIN_FILENO...STDERR_FILENO).contains(where: { fcntl($0, F_GETFD) < 0 }) {
      let descriptor = unsafe open("/dev/null", O_RDWR)
      switch descriptor {
      case ..<0 where errno == EMFILE || errno == ENFILE: throw ProcessRunError.tooFewDescriptors
      case ..<0: throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      case ...STDERR_FILENO: break
      // Another thread was faster.
      default: closeDescriptor(descriptor)
      }
    }
  }
#endif
