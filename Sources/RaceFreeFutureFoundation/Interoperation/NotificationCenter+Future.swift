// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

public import Foundation
public import RaceFreeFuture

extension NotificationCenter {
  /// Creates a future of a value from the next matching notification.
  ///
  /// A notification isn't `Sendable`: the closure extracts a value that is. The observer is removed at any outcome, and
  /// keeps the future until then: cancel a future that isn't needed any more. If the center is released first, the
  /// future is cancelled with `AbandonedError`.
  ///
  /// ```swift
  /// let bytes = center.future(forName: .received) { $0.userInfo?["count"] as? Int }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the notification; nil: any.
  ///   - object: The sender; nil: any. It isn't kept.
  ///   - label: A name for descriptions and errors; without one it is that of the notification, if there is one.
  ///   - value: Extracts the value from a notification; nil: keep waiting. It runs on the thread that posts, perhaps on
  ///     several at once and once more after the outcome if posts coincide. Throwing makes the result a failure, or a
  ///     cancellation if it is `CancellationError`.
  /// - Returns: The future.
  public func future<Value: Sendable>(
    forName name: Notification.Name?,
    object: Any? = nil,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ value: @escaping @Sendable (Notification) throws -> Value?
  ) -> ValueFuture<Value> {
    let completer = ValueFuture<Value>.makeCompleter(label: label ?? name?.rawValue, fileID: fileID, line: line)
    let future = completer.future
    let observer = Observer(
      center: self,
      observer: addObserver(forName: name, object: object, queue: nil) { notification in
        guard completer.future.isPending else { return }
        do {
          if let value = try value(notification) { completer.complete(with: value) }
        } catch {
          completer.future.end(throwing: error)
        }
      }
    )
    // If the notification has come meanwhile, this is a late handler and runs at once.
    future.onCleanUp(on: .inline) { observer.remove() }
    return future
  }

  /// Creates a future that completes with the next matching notification.
  ///
  /// Like the other form, but ignores the contents of the notification.
  ///
  /// - Parameters:
  ///   - name: The name of the notification; nil: any.
  ///   - object: The sender; nil: any. It isn't kept.
  ///   - label: A name for descriptions and errors; without one it is that of the notification, if there is one.
  /// - Returns: The future.
  public func future(
    forName name: Notification.Name?,
    object: Any? = nil,
    label: String? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> ValueFuture<Void> {
    future(forName: name, object: object, label: label, fileID: fileID, line: line) { _ in () }
  }
}

/// `@unchecked Sendable`: a center is thread-safe, and the observer is used only as the one to remove.
private final class Observer: @unchecked Sendable {
  /// Not kept: a center keeps its observers, and this observer keeps the future that keeps this object.
  private weak var center: NotificationCenter?
  private let observer: any NSObjectProtocol

  init(center: NotificationCenter, observer: any NSObjectProtocol) {
    self.center = center
    self.observer = observer
  }

  func remove() { center?.removeObserver(observer) }
}
