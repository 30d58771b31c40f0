// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Foundation
import RaceFreeFutureTesting

/// The files of Porcupine's `test_data` in a folder: `jepsen/etcd_000.log` and so on, and `kv/c01-ok.txt` and so on.
func logs(in folder: String) throws -> [Example] {
  let url = URL(filePath: folder)
  func files(_ name: String) -> [URL] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: url.appending(path: name),
      includingPropertiesForKeys: nil
    )
    return (files ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
  let registers: [Example] = try files("jepsen").compactMap { file in
    let name = file.deletingPathExtension().lastPathComponent
    let text = try String(contentsOf: file, encoding: .utf8)
    guard let number = name.split(separator: "_").last.flatMap({ Int($0) }), !text.isEmpty else { return nil }
    return Example(
      name,
      etcdLog(text),
      of: RegisterModel(initialState: nil),
      isLinearizable: Published.linearizable.contains(number),
      source: "Porcupine, \(file.lastPathComponent)"
    )
  }
  let dictionaries: [Example] = try files("kv").map { file in
    let name = file.deletingPathExtension().lastPathComponent
    return Example(
      name,
      dictionaryLog(try String(contentsOf: file, encoding: .utf8)),
      of: TextsModel(),
      isLinearizable: name.hasSuffix("ok"),
      source: "Porcupine, \(file.lastPathComponent)"
    )
  }
  return registers + dictionaries
}

/// Reads a log of Jepsen: `INFO  jepsen.util - 3 :invoke :cas [1 2]`.
private func etcdLog(_ text: String) -> History<RegisterModel.Operation, RegisterModel.Answer> {
  History(
    text.split(separator: "\n").compactMap { line in
      let words = line.split { " \t[]".contains($0) }
      guard words.count > 5, words[1] == "jepsen.util", let process = Int(words[3]) else { return nil }
      let numbers = words.dropFirst(6).compactMap { Int($0) }
      switch (words[4], words[5]) {
      case (":invoke", ":read"): return (process, .begins(.read))
      case (":invoke", ":write"): return (process, .begins(.write(numbers[0])))
      case (":invoke", ":cas"): return (process, .begins(.exchange(numbers[0], numbers[1])))
      case (":ok", ":read"): return (process, .answers(.value(numbers.first)))
      case (":fail", ":read"): return (process, .isForgotten)
      case (":ok", ":write"): return (process, .answers(.done))
      case (let end, ":cas") where end != ":info": return (process, .answers(.exchanged(end == ":ok")))
      default: return nil
      }
    }
  )
}

/// Reads a log of a key-value store: `{:process 0, :type :ok, :f :get, :key "7", :value ""}`.
private func dictionaryLog(_ text: String) -> History<TextsModel.Operation, String> {
  History(
    text.split(separator: "\n").compactMap { line in
      // Numbers and names are before the first quotation mark, the key and the value between others.
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      let words = parts[0].split { " ,{".contains($0) }
      guard parts.count > 1, words.count > 5, let process = Int(words[1]) else { return nil }
      let (key, value) = (String(parts[1]), parts.count > 3 ? String(parts[3]) : "")
      switch (words[3], words[5]) {
      case (":invoke", ":get"): return (process, .begins(.get(key)))
      case (":invoke", ":put"): return (process, .begins(.put(key, value)))
      case (":invoke", _): return (process, .begins(.append(key, value)))
      default: return (process, .answers(value))
      }
    }
  )
}
