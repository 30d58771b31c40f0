// swift-tools-version: 6.2
// The field's published races in Swift: a package of its own, so that others can run their tools on its programs.
// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import PackageDescription

let testing: Target.Dependency = .product(name: "RaceFreeFutureTesting", package: "RaceFreeFuture")

let package = Package(
  name: "RaceFreeFutureKernels",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "sctbench", targets: ["sctbench"]),
    .executable(name: "executions", targets: ["executions"]),
    .executable(name: "goker", targets: ["goker"]),
    .executable(name: "swift-races", targets: ["swift-races"]),
    .executable(name: "histories", targets: ["histories"]),
    .executable(name: "calls", targets: ["calls"]),
    .executable(name: "ordinary-calls", targets: ["ordinary-calls"]),
  ],
  dependencies: [
    .package(name: "RaceFreeFuture", path: "../..")
  ],
  targets: [
    .executableTarget(name: "sctbench", dependencies: [testing]),
    .executableTarget(name: "executions", dependencies: [testing]),
    .executableTarget(
      name: "goker",
      dependencies: [testing, .product(name: "RaceFreeFuture", package: "RaceFreeFuture")]
    ),
    .executableTarget(
      name: "swift-races",
      dependencies: [testing, .product(name: "RaceFreeFuture", package: "RaceFreeFuture")]
    ),
    .executableTarget(name: "histories", dependencies: [testing]),
    // What calls of Dispatch and locks cost, beside a program that hasn't the explorer.
    .target(name: "Ordinary"),
    .executableTarget(name: "calls", dependencies: [testing, "Ordinary"]),
    .executableTarget(name: "ordinary-calls", dependencies: ["Ordinary"]),
  ],
  swiftLanguageModes: [.v6]
)
