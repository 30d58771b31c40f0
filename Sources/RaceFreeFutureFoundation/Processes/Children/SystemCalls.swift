// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  internal import Foundation

  /// Calls `close`, for types that have a method of that name.
  @discardableResult
  func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

  /// Makes a pipe whose ends are closed on exec.
  ///
  /// Where the system can't do it in one step, a child that other code launches in between inherits the ends.
  ///
  /// - Returns: The reading and the writing end.
  /// - Throws: `tooFewDescriptors`, the only way in which a pipe can fail.
  func makePipe() throws(ProcessRunError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #if os(Linux) || os(Android)
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .tooFewDescriptors }
    #else
      guard unsafe pipe(&ends) == 0 else { throw .tooFewDescriptors }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (ends[0], ends[1])
  }

  #if os(Linux) || os(Android)
    /// Swift doesn't import it, as it is an extension of the standard.
    @_silgen_name("pipe2")
    private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32

    /// Swift doesn't import it, because it takes any number of arguments.
    ///
    /// They are all integers, which are passed in the same registers whether their number is fixed or not.
    @_silgen_name("syscall")
    private func syscall(_ number: Int, _ first: Int, _ second: Int, _ third: Int, _ fourth: Int) -> Int

    /// Returns a descriptor that refers to a process; negative if there is no such process, or Linux is older than 5.3.
    func openProcess(_ identifier: Int32) -> Int32 { Int32(syscall(434, Int(identifier), 0, 0, 0)) }

    /// Sends a signal to the process that a descriptor refers to, and to no other.
    func signalProcess(_ descriptor: Int32, _ signal: Int32) -> Bool {
      syscall(424, Int(descriptor), Int(signal), 0, 0) == 0
    }
  #endif
#endif
