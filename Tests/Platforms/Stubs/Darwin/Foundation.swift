// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// Apple's Foundation, as far as it differs from the one here: it is one module, and brings Apple's C library with it.

@_exported public import Foundation
@_exported public import FoundationNetworking
public import Glibc

// sigaction(2), sys/signal.h
@unsafe public struct SigactionHandlers {
  public var __sa_handler: (@convention(c) (Int32) -> Void)?
}

extension sigaction {
  @unsafe public var __sigaction_u: SigactionHandlers {
    get { SigactionHandlers() }
    set {}
  }
}

// fcntl(2), sys/fcntl.h
public let F_SETNOSIGPIPE: Int32 = 73

// rename(2), sys/stdio.h
public let RENAME_EXCL: Int32 = 4
public func renamex_np(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!, _ flags: UInt32) -> Int32 { -1 }
