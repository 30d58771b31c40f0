// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFutureTesting

/// What was found, a row for each kernel.
struct Table {
  private(set) var isWorse = false
  private var rows = [["kernel", "cause", "orders to the bug", "what blocks", "orders, mended", "alarm"]]
  private var (found, alarms) = (0, 0)

  mutating func add(_ kernel: Kernel, _ buggy: Exploration, _ mended: Exploration) {
    let isFound = buggy.failure != nil
    let isQuiet = mended.failure == nil
    found += isFound ? 1 : 0
    alarms += isQuiet ? 0 : 1
    if !isFound || !isQuiet { isWorse = true }
    rows.append([
      kernel.name, kernel.cause,
      isFound ? "\(buggy.orders)" : "not found in \(buggy.orders)",
      buggy.failure ?? "–",
      (mended.isComplete ? "all \(mended.orders)" : "\(mended.orders)"),
      mended.failure ?? (mended.verdict == .passed ? "none" : "none, inconclusive"),
    ])
  }

  private var sum: String { "\(found) of \(rows.count - 1) found, \(alarms) alarms in mended programs" }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        .joined(separator: "  ")
    }
    return (lines + ["", sum]).joined(separator: "\n")
  }

  var markdown: String {
    var lines = rows.map { "| " + $0.map { $0.replacing("|", with: "/") }.joined(separator: " | ") + " |" }
    lines.insert("|" + rows[0].map { _ in " --- |" }.joined(), at: 1)
    return (lines + ["", sum + "."]).joined(separator: "\n")
  }
}

extension Kernel {
  static let all: [Kernel] =
    [
      // Locks, 23.
      cockroach584, cockroach9935, etcd5509, etcd6708, etcd10492, grpc795, grpc3017, hugo5379, moby7559, moby17176,
      moby36114, syncthing4829, cockroach7504, cockroach10214, hugo3251, kubernetes13135, kubernetes30872, moby4951,
      cockroach3710, cockroach6181, cockroach16167, kubernetes58107, kubernetes62464,
    ] + [
      // Channels, contexts and conditions, 29.
      cockroach2448, cockroach24808, cockroach25456, cockroach35073, cockroach35931, etcd6857, grpc660, grpc1275,
      grpc1424, istio17860, kubernetes5316, kubernetes38669, kubernetes70277, moby4395, moby21233, moby33293,
      syncthing5795, cockroach10790, cockroach13197, cockroach13755, cockroach18101, grpc862, istio18454,
      kubernetes25331, moby33781, kubernetes11298, moby27782, moby29733, moby30408,
    ] + [
      // Both, 16.
      cockroach1055, cockroach1462, etcd6873, etcd7443, etcd7492, etcd7902, grpc1353, grpc1460, istio16224,
      kubernetes1321, kubernetes6632, kubernetes10182, kubernetes26980, moby25384, moby28462, serving2137,
    ]
}
