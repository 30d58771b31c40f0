// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import CExploring
internal import RaceFreeFuture

#if os(Linux)
  #if canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif
#endif

/// The names of functions by their addresses, from the symbol tables of the program and its libraries.
///
/// Only for reports: a name takes some milliseconds the first time. Without a table, as in a stripped program, and on
/// systems other than Linux there are none.
enum SymbolTable {
  private static let known = Locked<[UInt: String?]>([:])

  /// Returns the user's function of a call, in brackets, from return addresses, the innermost first; empty without one.
  static func place(of callers: [UInt]) -> String {
    let names = callers.lazy.compactMap { name(at: $0).flatMap { FunctionName($0) } }
    return names.first(where: TaskLayout.isOfUser).map { " (in \($0.words))" } ?? ""
  }

  /// Returns the compiler's name of the function at an address, demangled; nil if there is none.
  static func name(at address: UInt) -> String? {
    // The linker may have merged the code of this lock with that of the user's mutexes, whose uses ask for names.
    let wasBusy = rff_setBusy(true)
    defer { _ = rff_setBusy(wasBusy) }
    if let name = known.withLock({ $0[address] }) { return name }
    let name = search(address)
    known.withLock { $0[address] = .some(name) }
    return name
  }

  #if os(Linux)
    /// A row of a table, in the ELF format for 64 bits.
    private struct Row {
      let name: UInt32
      let info: UInt8
      let other: UInt8
      let section: UInt16
      let value: UInt64
      let size: UInt64

      var kind: UInt8 { info & 0xF }
    }

    struct Image: Hashable {
      let path: String
      let base: UInt
    }

    private static func search(_ address: UInt) -> String? {
      guard let image = image(at: address) else { return nil }
      let wanted = UInt64(address - image.base)
      var found: String?
      unsafe withTables(of: image.path) { rows, name in
        for number in 0..<rows.count where found == nil {
          let row = unsafe rows[number]
          // A function or an object.
          guard row.value <= wanted, wanted - row.value < row.size, (1...2).contains(row.kind) else { continue }
          found = demangled(name(row))
        }
      }
      return found
    }

    /// Returns the functions that a part of an asynchronous one may call, as far as its first kilobyte says: directly, or by
    /// an address that it has kept in its context.
    ///
    /// Where an instruction only looks like that, no function begins.
    static func calls(at function: UInt, in context: UInt) -> [UInt] {
      guard let image = image(at: function) else { return [] }
      var (begins, size): (Set<UInt>, UInt) = ([], 0)
      unsafe withTables(of: image.path) { rows, _ in
        for number in 0..<rows.count {
          let row = unsafe rows[number]
          guard row.kind == 2 else { continue }
          begins.insert(UInt(row.value) + image.base)
          if UInt(row.value) + image.base == function { size = UInt(row.size) }
        }
      }
      // The code is in memory, as long as the table says.
      let code = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(bitPattern: function),
        count: Int(min(size, 1_024))
      )
      var calls: [UInt] = []
      #if arch(x86_64)
        func number(_ place: Int) -> Int { unsafe Int(code.loadUnaligned(fromByteOffset: place, as: Int32.self)) }
        for place in code.indices.dropLast(7) {
          let (first, second, third) = unsafe (code[place], code[place + 1], code[place + 2] & 0xC7)
          // call, and mov from r14 with a distance of four bytes or one.
          if first == 0xE8 { calls.append(function &+ UInt(bitPattern: place + 5 + number(place + 1))) }
          guard first & 0xFB == 0x49, second == 0x8B, third == 0x86 || third == 0x46 else { continue }
          let distance = third == 0x86 ? number(place + 3) : unsafe Int(Int8(bitPattern: code[place + 3]))
          if distance >= 0 { calls.append(TaskLayout.word(context, distance)) }
        }
      #elseif arch(arm64)
        for place in stride(from: 0, to: code.count - 3, by: 4) {
          let word = unsafe code.load(fromByteOffset: place, as: UInt32.self)
          // bl, and ldr from x22.
          if word >> 26 == 0b100101 {
            calls.append(function &+ UInt(bitPattern: place + Int(Int32(bitPattern: word << 6) >> 4)))
          } else if word & 0xFFC0_03E0 == 0xF940_02C0 {
            calls.append(TaskLayout.word(context, Int(word >> 10 & 0xFFF) * 8))
          }
        }
      #endif
      return calls.filter(begins.contains)
    }

    /// The functions that ask for the number of the calling thread for mutexes that are inlined, one in each object file that
    /// has such mutexes, with the modules; without code in a release build.
    static var numbersOfInlinedMutexes: [(number: rff_Number, module: String)] {
      let function = "_swift_stdlib_gettid"
      var found: [(rff_Number, String)] = []
      unsafe withTables(of: "/proc/self/exe") { rows, name in
        // The rows of an object file follow each other, behind its name.
        var begin = 0
        for number in 0..<rows.count {
          let row = unsafe rows[number]
          if row.kind == 4 { begin = number }
          guard row.kind == 6, name(row) == "\(function).tid" else { continue }
          var (modules, code) = ([String: Int](), Row?.none)
          let own = unsafe Array(rows[(begin + 1)...].prefix { $0.kind != 4 })
          for other in own where (1...2).contains(other.kind) {
            let name = name(other)
            if name == function { code = other }
            if let module = Self.module(of: name) { modules[module, default: 0] += 1 }
          }
          guard let module = modules.max(by: { $0.value < $1.value })?.key else { continue }
          let range = code.map { UInt($0.value)..<UInt($0.value + $0.size) } ?? 0..<0
          found.append((rff_Number(begin: range.lowerBound, end: range.upperBound, offset: Int(row.value)), module))
        }
      }
      return found
    }

    /// Returns the module of a mangled name: the first part, with its length before it.
    private static func module(of name: String) -> String? {
      let text = name.utf8.dropFirst(2)
      let digits = text.prefix { (48...57).contains($0) }
      guard name.hasPrefix("$s"), let length = Int(Substring(digits)), length > 0 else { return nil }
      let module = Substring(text.dropFirst(digits.count).prefix(length))
      return module == "Synchronization" ? nil : String(module)
    }

    /// Calls a closure with the rows of a file's tables, and a function that returns their names.
    ///
    /// Every read is inside the file, which is mapped until this returns; an invalid file has no rows.
    private static func withTables(of path: String, _ body: (UnsafeBufferPointer<Row>, (Row) -> String) -> Void) {
      let descriptor = unsafe open(path, O_RDONLY)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      let size = Int(lseek(descriptor, 0, SEEK_END))
      guard size > 64, let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
        unsafe start != MAP_FAILED
      else { return }
      defer { unsafe munmap(start, size) }
      let file = unsafe UnsafeRawBufferPointer(start: start, count: size)
      func word<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> Int {
        guard offset >= 0, offset + MemoryLayout<Word>.size <= file.count else { return 0 }
        return unsafe Int(truncatingIfNeeded: file.loadUnaligned(fromByteOffset: offset, as: Word.self))
      }
      // 64 bits, and little-endian as the machine.
      guard word(0, UInt32.self) == 0x464C_457F, word(4, UInt16.self) == 0x0102 else { return }
      let (sections, entrySize, count) = (word(0x28, UInt64.self), word(0x3A, UInt16.self), word(0x3C, UInt16.self))
      func section(_ index: Int) -> Range<Int> {
        let entry = sections + index * entrySize
        let (offset, size) = (word(entry + 0x18, UInt64.self), word(entry + 0x20, UInt64.self))
        return offset >= 0 && size >= 0 && offset <= file.count - size ? offset..<(offset + size) : 0..<0
      }
      for index in 0..<count where word(sections + index * entrySize + 4, UInt32.self) == 2 {
        let names = section(word(sections + index * entrySize + 0x28, UInt32.self))
        let table = section(index)
        guard table.lowerBound % 8 == 0 else { continue }
        let rows = unsafe UnsafeRawBufferPointer(rebasing: file[table]).assumingMemoryBound(to: Row.self)
        unsafe body(rows) { row in
          let start = names.lowerBound + Int(row.name)
          let bytes = unsafe file[min(start, names.upperBound)..<names.upperBound].prefix { $0 != 0 }
          return unsafe String(decoding: bytes, as: UTF8.self)
        }
      }
    }

    /// Returns the file that is mapped at an address, unless it belongs to Swift or the system, and its beginning in
    /// memory.
    static func image(at address: UInt) -> Image? {
      var image: Image?
      eachMapping { current, range in
        guard range.contains(address) else { return true }
        let file = current.path.split(separator: "/").last ?? ""
        if current.path.hasPrefix("/"), !file.hasPrefix("libswift"), !file.hasPrefix("libc.") { image = current }
        return false
      }
      return image
    }

    /// The files that are mapped.
    static var files: Set<String> {
      var files: Set<String> = []
      eachMapping { image, _ in
        files.insert(image.path)
        return true
      }
      return files
    }

    /// Calls a closure with each part of memory that has the content of a file, until it returns false.
    private static func eachMapping(_ body: (Image, Range<UInt>) -> Bool) {
      guard let maps = unsafe fopen("/proc/self/maps", "r") else { return }
      defer { unsafe fclose(maps) }
      var (line, capacity) = unsafe (nil as UnsafeMutablePointer<CChar>?, 0)
      defer { unsafe free(line) }
      var current = Image(path: "", base: 0)
      while unsafe getline(&line, &capacity, maps) > 0 {
        guard let text = unsafe line.map({ unsafe String(cString: $0) }) else { break }
        // Range, rights, offset, device, inode, path.
        let parts = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let range = (parts.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard parts.count == 6, range.count == 2, range[0] < range[1] else { continue }
        let path = String(parts[5].drop { $0 == " " }.dropLast())
        if path != current.path { current = Image(path: path, base: range[0]) }
        guard body(current, range[0]..<range[1]) else { return }
      }
    }

    private static func demangled(_ name: String) -> String {
      let result = unsafe swiftDemangle(name, UInt(name.utf8.count), nil, nil, 0)
      guard let result = unsafe result else { return name }
      // The runtime has allocated it for the caller.
      defer { unsafe free(result) }
      return unsafe String(cString: result)
    }
  #else
    private static func search(_ address: UInt) -> String? { nil }

    static func calls(at function: UInt, in context: UInt) -> [UInt] { [] }

    static var numbersOfInlinedMutexes: [(number: rff_Number, module: String)] { [] }
  #endif
}

#if os(Linux)
  @_silgen_name("swift_demangle")
  private func swiftDemangle(
    _ name: UnsafePointer<CChar>?,
    _ length: UInt,
    _ output: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<UInt>?,
    _ flags: UInt32
  ) -> UnsafeMutablePointer<CChar>?
#endif
