// swift-tools-version: 6.2
// RaceFreeFuture together with other packages; a package of its own, so that the library itself depends on nothing.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "RaceFreeFutureIntegrations",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "RaceFreeFuture", path: ".."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .target(
      name: "RaceFreeFutureContext",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
      ]
    ),
    .target(
      name: "RaceFreeFutureMetrics",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "Metrics", package: "swift-metrics"),
      ]
    ),
    .target(
      name: "RaceFreeFutureServiceLifecycle",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .target(
      name: "RaceFreeFutureNIO",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]
    ),
    .target(
      name: "RaceFreeFutureOpenCombine",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]
    ),
    .target(
      name: "RaceFreeFutureFlyingFox",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]
    ),
    .target(
      name: "RaceFreeFutureAsyncHTTPClient",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]
    ),
    .target(
      name: "RaceFreeFutureSubprocess",
      dependencies: [
        .product(name: "RaceFreeFuture", package: "RaceFreeFuture"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
    .testTarget(
      name: "SubprocessTests",
      dependencies: [
        "RaceFreeFutureSubprocess",
        .product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture"),
      ]
    ),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "RaceFreeFutureContext",
        "RaceFreeFutureMetrics",
        "RaceFreeFutureServiceLifecycle",
        "RaceFreeFutureNIO",
        "RaceFreeFutureOpenCombine",
        "RaceFreeFutureFlyingFox",
        "RaceFreeFutureAsyncHTTPClient",
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Every target is compiled with the settings of the library.
for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .strictMemorySafety(),  // SE-0458
  ]
}
