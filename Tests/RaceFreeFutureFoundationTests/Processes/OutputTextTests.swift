// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  import Foundation
  import RaceFreeFuture
  import RaceFreeFutureFoundation
  import RaceFreeFutureTesting
  import TestSupport
  import Testing

  /// Makes text of bytes that are cut at random.
  private func texts(_ bytes: Data, _ unit: OutputText.Unit, _ generator: inout SeededGenerator) -> [String] {
    var text = OutputText(unit)
    var texts: [String] = []
    var rest = bytes
    while !rest.isEmpty {
      let count = min(rest.count, .random(in: 0...5, using: &generator))
      texts += text.append(Data(rest.prefix(count))).texts
      rest = Data(rest.dropFirst(count))
    }
    return texts + (text.finish().map { [$0] } ?? [])
  }

  @Suite struct `Text of outputs` {
    // MARK: Without a child

    @Test func `is the same however the bytes are cut`() {
      var generator = SeededGenerator(seed: testSeed)
      // The whole alphabet of UTF-8, and what isn't UTF-8.
      let parts: [[UInt8]] = [
        [0x61], [0x0A], [0x0D, 0x0A], [0x0D], Array("é".utf8), Array("€".utf8), Array("🦆".utf8), [0xFF], [0x80],
        [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0xA6], [0xE0, 0x80], [0xED, 0xA0, 0x80], [0xF8],
      ]
      for _ in 0..<iterations(500) {
        let count = Int.random(in: 0...12, using: &generator)
        let bytes = Data((0..<count).flatMap { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] })
        let whole = String(decoding: bytes, as: UTF8.self)
        let pieces = texts(bytes, .pieces, &generator)
        #expect(Array(pieces.joined().unicodeScalars) == Array(whole.unicodeScalars), "seed \(testSeed)")
        #expect(!pieces.contains(""), "seed \(testSeed)")

        var expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
        let last = expected.removeLast()
        for index in expected.indices where expected[index].last == 0x0D { expected[index].removeLast() }
        if !last.isEmpty { expected.append(last) }
        let lines = texts(bytes, .lines(limit: 100), &generator)
        #expect(lines == expected.map { String(decoding: $0, as: UTF8.self) }, "seed \(testSeed)")
      }
    }

    @Test(arguments: ["12345\n", "12345\r\n", "12345", "12345\r"])
    func `has lines as long as the limit`(bytes: String) {
      var text = OutputText(.lines(limit: 5))
      #expect(!text.append(Data(bytes.utf8)).isTooLong)
    }

    @Test(arguments: ["123456\n", "123456\r\n", "123456", "12345\r\r"])
    func `has no lines that are longer`(bytes: String) {
      var text = OutputText(.lines(limit: 5))
      let (lines, isTooLong) = text.append(Data(("one\ntwo\n" + bytes).utf8))
      #expect(lines == ["one", "two"])
      #expect(isTooLong)
    }

    // MARK: Of a child

    @Test func `comes line by line, the last one also without an end`() async throws {
      let (lines, errors) = (EventLog<String>(), EventLog<String>())
      let script = "printf 'one\\n\\ntwo\\r\\nthr'; printf 'ee\\rd\\n\\303'; printf '\\251\\n\\377x'; echo wrong >&2"
      let future = shell(script).runFuture(output: .lines { lines.add($0) }, error: .lines { errors.add($0) })
      let result = try await future.inTime
      #expect(lines.events == ["one", "", "two", "three\rd", "é", "\u{FFFD}x"])
      #expect(errors.events == ["wrong"])
      #expect(result == ProcessResult(terminationStatus: 0))
    }

    @Test func `comes as text, no character of which is cut`() async throws {
      let pieces = EventLog<String>()
      let script = "i=0; while [ $i -lt 20000 ]; do printf '€é🦆\\n'; i=$((i+1)); done; printf '\\342\\202'"
      _ = try await shell(script).runFuture(output: .text { pieces.add($0) }).inTime
      #expect(pieces.events.joined() == String(repeating: "€é🦆\n", count: 20_000) + "\u{FFFD}")
    }

    @Test func `of many lines comes whole and in order`() async throws {
      let lines = EventLog<String>()
      let script = "i=0; while [ $i -lt 30000 ]; do echo $i; i=$((i+1)); done"
      _ = try await shell(script).runFuture(output: .lines { lines.add($0) }).inTime
      #expect(lines.events == (0..<30_000).map(String.init))
    }

    @Test func `stops the child whose line is too long, after the lines before`() async throws {
      for stream in [ProcessRunError.Stream.output, .error] {
        let late = LateResult()
        let lines = EventLog<String>()
        let output = ProcessOutput.lines(limit: 1000) { lines.add($0) }
        let script = "echo first; while :; do printf xxxxxxxxxxxxxxxx; done"
        let process = shell(stream == .output ? script : "{ \(script); } >&2")
        let future = process.runFuture(output: output, error: output, onUndelivered: late.onUndelivered)
        let error = await #expect(throws: ProcessRunError.self) { try await future.inTime }
        #expect(error == .lineTooLong(stream, limit: 1000))
        #expect(error?.description == "the process wrote a line of more than 1000 bytes to its standard \(stream)")
        #expect(lines.events == ["first"])
        #expect(try await late.result.terminationReason == .uncaughtSignal)
      }
    }

    @Test func `doesn't come after a cancellation, not even the rest of what is there`() async throws {
      let late = LateResult()
      let lines = EventLog<String>()
      let slot = EventLog<CancelToken>()
      let ready = Gate("the token is there")
      let future = shell("printf '1\\n2\\n3\\n4'; exec sleep 3600").runFuture(
        output: .lines { line in
          ready.wait()
          lines.add(line)
          if line == "2" { slot.events.first?.cancel() }
        },
        onUndelivered: late.onUndelivered
      )
      slot.add(future.cancelToken)
      ready.open()
      #expect(try await late.result.terminationReason == .uncaughtSignal)
      #expect(lines.events == ["1", "2"])
    }

    @Test func `is made of what was collected, by the same rules`() {
      let output = Data("one\r\n\ntwo".utf8) + [0xFF]
      let result = ProcessResult(terminationStatus: 0, standardOutput: output, standardError: Data("bad\n".utf8))
      #expect(result.outputText == "one\r\n\ntwo\u{FFFD}")
      #expect(result.outputLines == ["one", "", "two\u{FFFD}"])
      #expect(result.errorText == "bad\n")
      #expect(result.errorLines == ["bad"])
      #expect(ProcessResult(terminationStatus: 0).outputLines == [])
    }
  }
#endif
