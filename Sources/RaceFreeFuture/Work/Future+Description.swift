// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// MARK: - Describe

extension Future: CustomStringConvertible, CustomReflectable {
  /// The mirror of an object that has this future, and may know more about a failure.
  func mirror(of subject: some Any, failure: (Resolution) -> (any Error)? = \.failure) -> Mirror {
    let (resolution, count) = process { ($0.resolution, $0.handlers.count) }
    var children: [(label: String?, value: Any)] = [("madeAt", "\(site)"), ("isPending", resolution == nil)]
    if let label { children.insert(("label", label), at: 0) }
    if count > 0 { children.append(("handlers", Int(count))) }
    if let resolution { children.append(("outcome", resolution.outcome)) }
    if let error = resolution.flatMap(failure) { children.append(("failure", error)) }
    if let reason = resolution?.reason { children.append(("cancellationReason", reason)) }
    if case .cascaded(let trace)? = resolution {
      if !trace.path.isEmpty { children.append(("cancellationPath", trace.path)) }
      if let site = trace.site { children.append(("cancellationSite", "\(site)")) }
    }
    return Mirror(subject, children: children, displayStyle: .class)
  }

  /// The description of an object that has this future, and may know more about a failure.
  func description(of type: String, failure: (Resolution) -> (any Error)? = \.failure) -> String {
    // A reason may describe the future that was cancelled for it, which describes the reason.
    guard Self.descriptions < 3 else { return "\(type)(\(name))" }
    return Self.$descriptions.withValue(Self.descriptions + 1) { fullDescription(of: type, failure) }
  }

  /// The number of descriptions of futures that enclose the current one.
  @TaskLocal private static var descriptions = 0

  private func fullDescription(of type: String, _ failure: (Resolution) -> (any Error)?) -> String {
    let (resolution, count) = process { ($0.resolution, $0.handlers.count) }
    // Descriptions of errors are user code: they run here, outside of the lock.
    let state =
      switch resolution {
      case nil: "pending"
      case .cancelled(let reason)?: "cancelled (\(reason))"
      case .cascaded(let cascade)?: "cancelled (\(cascade))"
      case let resolution?: failure(resolution).map { "failed (\($0))" } ?? "completed"
      }
    let handlers = count == 0 ? "" : ", \(count) handler\(count == 1 ? "" : "s")"
    return "\(type)(\(FutureName(self).quoted), \(state)\(handlers))"
  }
}
