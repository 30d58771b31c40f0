// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// Foundation with Musl, as far as it differs from the one here.

@_exported public import Foundation
public import Glibc

// signal.h
@unsafe public struct SigactionHandlers {
  public var sa_handler: (@convention(c) (Int32) -> Void)?
}

extension sigaction {
  @unsafe public var __sa_handler: SigactionHandlers {
    get { SigactionHandlers() }
    set {}
  }
}

public struct SiginfoFields {
  public var __si_common = Common()

  public struct Common { public var __second = Second() }
  public struct Second { public var __sigchld = Child() }
  public struct Child { public var si_status: Int32 = 0 }
}

extension siginfo_t {
  public var __si_fields: SiginfoFields { SiginfoFields() }
}
