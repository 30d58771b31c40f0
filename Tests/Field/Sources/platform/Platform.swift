// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Defects

/// Shows known defects of Foundation and Dispatch on Linux.
@main
enum Platform {
  static func main() async { await DefectProgram("platform", about: "work-around", Defect.all).main() }
}

extension Defect {
  package static var all: [Defect] { processes + signals + operations + sources + loading }
}
