// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// Apple's Foundation, as far as it differs from the one here: it is one module, and brings Apple's C library with it.

@_exported public import Foundation
@_exported public import FoundationNetworking

// rename(2), sys/stdio.h
public let RENAME_EXCL: Int32 = 4
public func renamex_np(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!, _ flags: UInt32) -> Int32 { -1 }
