// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import RaceFreeFuture
import Testing
import TimeoutHeaderRecipe

extension IntegrationTests {
  @Suite struct TimeoutHeaderTests {
    @Test(arguments: [
      (Duration.nanoseconds(-1), "1n"), (.zero, "1n"), (.nanoseconds(9_999_999), "9999999n"),
      (.milliseconds(10), "10000u"), (.seconds(10), "10000m"), (.seconds(10) + .nanoseconds(1), "10000m"),
      (.seconds(86_400), "86400S"), (.seconds(1_000_000_000), "277777H"), (.seconds(Int64.max), "9999999H"),
    ])
    func `an interval is written in seven digits`(interval: Duration, text: String) {
      #expect(TimeoutHeader.text(for: interval) == text)
    }

    @Test(arguments: [
      ("1H", Duration.seconds(3600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("4m", .milliseconds(4)),
      ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("0S", .zero), ("00000001S", .seconds(1)),
      ("99999999H", .seconds(3600) * 99_999_999),
    ])
    func `a text is read`(text: String, interval: Duration) {
      #expect(TimeoutHeader.interval(from: text) == interval)
    }

    @Test func `an interval that is written and read is never longer, and by a ten-thousandth shorter at most`() {
      for _ in 0..<20_000 {
        let interval = Duration.nanoseconds(Int64.random(in: 1...(1 << Int64.random(in: 1...62))))
        let text = TimeoutHeader.text(for: interval)
        guard let read = TimeoutHeader.interval(from: text) else {
          Issue.record("\(interval): \(text)")
          continue
        }
        #expect(
          text.utf8.count <= 8 && read <= interval && (interval - read) * 10_000 <= interval,
          "\(interval): \(text)"
        )
      }
    }

    @Test func `whatever a text is, it is read or refused`() throws {
      let format = try Regex("[0-9]{1,8}[HMSmun]")
      let pieces = [
        "", "0", "99999999", "H", "u", "-", "+", " ", ".", "e", "\0", "\u{300}", "١", "🕐", ",", "n\u{200d}",
      ]
      var accepted = 0
      for _ in 0..<20_000 {
        // A valid text, or almost, with a piece in it that may not belong there.
        var text = "\(Int.random(in: 0...200_000_000) >> Int.random(in: 0...20))\("HMSmun".randomElement() ?? "H")"
        let place = (Array(text.indices) + [text.endIndex]).randomElement() ?? text.endIndex
        text.insert(contentsOf: pieces.randomElement() ?? "", at: place)
        if Int.random(in: 0..<10) == 0 {
          text = String(decoding: text.utf8.map { _ in UInt8.random(in: .min ... .max) }, as: UTF8.self)
        }
        let interval = TimeoutHeader.interval(from: text)
        #expect(
          try (interval != nil) == (format.wholeMatch(in: text) != nil),
          "\(text.debugDescription): \(interval as Any)"
        )
        guard let interval else { continue }
        accepted += 1
        let work = Future()
        work.cancel(after: interval)
        work.complete()
      }
      #expect(accepted > 500 && accepted < 19_500)
    }

    @Test func `work without a deadline has no text`() {
      let work = Future()
      #expect(TimeoutHeader.text(for: work) == nil)
      work.cancel(after: .seconds(60))
      let interval = TimeoutHeader.text(for: work).flatMap(TimeoutHeader.interval)
      #expect(interval.map { $0 <= .seconds(60) && $0 > .zero } == true)
    }
  }
}
