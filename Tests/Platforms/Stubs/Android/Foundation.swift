// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// Foundation with Bionic, as far as it differs from the one here.

@_exported public import Foundation
public import Glibc

// bits/signal_types.h
extension sigaction {
  @unsafe public var sa_handler: (@convention(c) (Int32) -> Void)? {
    get { nil }
    set {}
  }
}

// linux/siginfo: asm-generic/siginfo.h. That of Glibc has the same members up to this one, whose name differs.
extension siginfo_t {
  public var _sifields: SiginfoFields { SiginfoFields() }
}

public struct SiginfoFields {
  public var _sigchld = Child()

  public struct Child { public var _status: Int32 = 0 }
}
