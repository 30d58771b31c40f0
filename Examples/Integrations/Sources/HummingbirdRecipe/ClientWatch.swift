// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// A part of the recipe RequestScopes.swift.

public import Hummingbird
public import NIOCore
internal import RaceFreeFuture

/// A request context that knows the channel of its request.
///
/// ```swift
/// struct AppContext: ChannelRequestContext {
///   var coreContext: CoreRequestContextStorage
///   let channel: any Channel
///
///   init(source: Source) {
///     coreContext = .init(source: source)
///     channel = source.channel
///   }
/// }
/// ```
public protocol ChannelRequestContext: RequestContext {
  /// The channel of the connection.
  var channel: any Channel { get }
}

/// Notices that the client of a connection is gone.
///
/// It does so while a handler runs, since the server reads on. It doesn't while more than a few parts of a body, or of
/// further requests, are still to be read. A client that has closed its side of the connection counts as gone.
public final class ClientWatch: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  /// It reads nothing.
  public typealias InboundIn = Never

  let client = Future(label: "the client")

  /// Creates a handler for one connection.
  public init() {}

  /// Called when the connection is closed.
  ///
  /// - Parameter context: The place in the pipeline.
  public func channelInactive(context: ChannelHandlerContext) {
    client.cancel()
    context.fireChannelInactive()
  }

  /// Called when the client has closed its side of the connection.
  ///
  /// - Parameters:
  ///   - context: The place in the pipeline.
  ///   - event: The event.
  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { client.cancel() }
    context.fireUserInboundEventTriggered(event)
  }
}
