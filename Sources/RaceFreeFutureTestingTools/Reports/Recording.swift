// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The testing libraries are used where the toolchain has them. On Linux they are shared libraries, which a program that
// uses this module outside of a test loads as well; with a static standard library and for Musl they aren't there, and
// nothing is recorded. On Apple's platforms a program that isn't a test can't load them: link this product to test
// targets there.
//
// Found at link time and not by name at run time, because a name ties the calling convention of another library to this
// one, unchecked by the compiler; and because what a package built from source would be called has no stable layout.
#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

extension TestReport {
  /// Records the report as an issue of the running test if it didn't pass, with its picture, and attaches it otherwise.
  ///
  /// To be called in the task of the test: that is how the test is known.
  package func record(inconclusiveIsError: Bool = false, at site: CallSite) {
    let isError = verdict == .failed || verdict == .inconclusive && inconclusiveIsError
    if let keeper = ReportKeeper.current {
      if isError { keeper.keep(description) }
    } else if passed {
      if environment("RACEFREEFUTURE_REPORTS")?.isEmpty == false { printToStandardError(description) }
      TestIssue.attach(description, named: "report.txt", at: site)
    } else {
      let page = (self as? any PicturedReport)?.page
      let file = page?.write(at: site)
      TestIssue.record(description + (file.map { "\n\nas a picture: \($0)" } ?? ""), isError: isError, at: site)
      if let page { TestIssue.attach(page.html, named: "report.html", at: site) }
    }
  }
}

/// An issue of the test that runs on the current task, in either testing library; nothing outside of tests.
private enum TestIssue {
  /// Records an error or a warning.
  static func record(_ text: String, isError: Bool, at site: CallSite) {
    #if canImport(Testing)
      // Also without a test: in an exit test it is known to the library alone, in a detached task it is unknown.
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: text), severity: isError ? .error : .warning, sourceLocation: site.location)
      #else
        if isError { Issue.record(Comment(rawValue: text), sourceLocation: site.location) }
      #endif
      if Test.current != nil { return }
    #endif
    #if canImport(XCTest)
      guard isTestProcess else { return }
      // Does nothing unless a test of XCTest is running. That library knows no warnings.
      if isError {
        XCTFail("\n" + text, file: site.filePath, line: UInt(site.line))
      } else {
        printToStandardError("\(site.fileID):\(site.line): warning: \(text)")
      }
    #endif
  }

  /// Attaches a report to the test.
  static func attach(_ text: String, named name: String, at site: CallSite) {
    #if canImport(Testing)
      if Test.current != nil { Attachment.record(text, named: name, sourceLocation: site.location) }
    #endif
  }

  /// True if the process runs a bundle of tests.
  private static let isTestProcess =
    CommandLine.arguments.first.map { $0.hasSuffix(".xctest") || $0.hasSuffix("/xctest") } == true
    || environment("XCTestConfigurationFilePath") != nil || environment("XCTestBundlePath") != nil
}
