// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking

  extension URLError {
    /// The error with the code that it has on other platforms, and itself as the underlying one; nil if it needs no
    /// clarification.
    ///
    /// FoundationNetworking turns most errors of libcurl into `unknown`, and keeps the text but no number. These texts
    /// have been the same for years; an unknown text changes nothing.
    var clarified: URLError? {
      let text = localizedDescription.lowercased()
      guard
        let meaning = meanings.first(where: { $0.unclear == code && text.contains($0.part) })
      else { return nil }
      return URLError(meaning.code, userInfo: userInfo.merging([NSUnderlyingErrorKey: self]) { _, new in new })
    }
  }

  private struct Meaning {
    var unclear = URLError.Code.unknown
    var part: String
    var code: URLError.Code
  }

  /// The meanings of parts of libcurl's texts; the first match counts.
  private let meanings = [
    Meaning(part: "remaining to read", code: .networkConnectionLost),
    Meaning(part: "outstanding read data", code: .networkConnectionLost),
    Meaning(part: "bytes missing", code: .networkConnectionLost),
    Meaning(part: "partial file", code: .networkConnectionLost),
    Meaning(part: "content unencoding", code: .cannotDecodeContentData),
    Meaning(part: "content encoding", code: .cannotDecodeContentData),
    Meaning(part: "transfer-encoding", code: .cannotDecodeContentData),
    Meaning(part: "chunk", code: .cannotParseResponse),
    Meaning(part: "too large response headers", code: .dataLengthExceedsMaximum),
    // That of a single header of more than 100 KB; memory itself doesn't run out on Linux before the program is ended.
    Meaning(part: "out of memory", code: .dataLengthExceedsMaximum),
    Meaning(part: "in header", code: .cannotParseResponse),
    Meaning(part: "header without colon", code: .cannotParseResponse),
    Meaning(part: "failed writing header", code: .cannotParseResponse),
    Meaning(part: "invalid content-length", code: .cannotParseResponse),
    Meaning(part: "certificate has expired", code: .serverCertificateHasBadDate),
    Meaning(part: "certificate is not yet valid", code: .serverCertificateNotYetValid),
    Meaning(part: "certificate", code: .serverCertificateUntrusted),
    Meaning(part: "ssl", code: .secureConnectionFailed),
    Meaning(part: "tls", code: .secureConnectionFailed),
    // It means that the answer isn't HTTP at all.
    Meaning(unclear: .unsupportedURL, part: "http/0.9", code: .badServerResponse),
    Meaning(unclear: .unsupportedURL, part: "unsupported response code", code: .badServerResponse),
  ]
#endif
