// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// Declarations that the package uses of Apple's module `os`, with the signatures of its documentation
// (https://developer.apple.com/documentation/os). They do nothing: code that uses them is compiled, not run.

/// https://developer.apple.com/documentation/os/ossignposter
public struct OSSignposter: @unchecked Sendable {
  public init(subsystem: String, category: String) {}

  public var isEnabled: Bool { false }

  public func beginInterval(
    _ name: StaticString,
    id: OSSignpostID = .exclusive,
    _ message: SignpostMetadata
  ) -> OSSignpostIntervalState {
    .beginState(id: id)
  }

  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata) {}

  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata) {}
}

/// https://developer.apple.com/documentation/os/ossignpostid
public struct OSSignpostID: Sendable {
  public let rawValue: UInt64

  public init(_ value: UInt64) { rawValue = value }

  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
}

/// https://developer.apple.com/documentation/os/ossignpostintervalstate
public final class OSSignpostIntervalState: Sendable {
  public let signpostID: OSSignpostID

  private init(_ id: OSSignpostID) { signpostID = id }

  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

/// https://developer.apple.com/documentation/os/signpostmetadata
public typealias SignpostMetadata = OSLogMessage

/// https://developer.apple.com/documentation/os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}

  public init(stringInterpolation: OSLogInterpolation) {}
}

/// https://developer.apple.com/documentation/os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}

  public mutating func appendLiteral(_ literal: String) {}

  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String,
    align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {}
}

/// https://developer.apple.com/documentation/os/oslogstringalignment
public struct OSLogStringAlignment: Sendable {
  public static let none = OSLogStringAlignment()
}

/// https://developer.apple.com/documentation/os/oslogprivacy
public struct OSLogPrivacy: Sendable {
  public static let auto = OSLogPrivacy()
  public static let `public` = OSLogPrivacy()
}
