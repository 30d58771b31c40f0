// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  package import Foundation
  package import FoundationNetworking

  /// A file as the body of a request, which begins from the start each time it is opened: a request may have to be sent
  /// again.
  ///
  /// FoundationNetworking reads a file that it is given without blocking, and stops the program (`EasyHandle.swift`,
  /// "libcurl.Easy error 43") when the request ends while it waits for the disk: when it is cancelled, or when the
  /// server answers early. For a stream it doesn't wait.
  ///
  /// Used by one thread at a time: whichever has the session's queue.
  package final class FileStream: InputStream {
    private let url: URL
    /// The number of bytes to read, which the request has declared.
    private let length: Int64
    private var descriptor: Int32 = -1
    private var offset: Int64 = 0
    private var error: CocoaError?

    package init(_ url: URL, length: Int64) {
      self.url = url
      self.length = length
      super.init(data: Data())
    }

    deinit { close() }

    package override func open() {
      close()
      // Safe, as below: the string and the bytes live through the calls.
      descriptor = unsafe Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
      (offset, error) = (0, descriptor < 0 ? CocoaError(reading: url, errno) : nil)
    }

    package override func close() {
      if descriptor >= 0 { _ = Foundation.close(descriptor) }
      descriptor = -1
    }

    package override var hasBytesAvailable: Bool { offset < length }

    /// Reads the next bytes; returns -1 if the file can't be read or has become too short.
    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
      let count = Int(min(Int64(maxLength), length - offset))
      guard count > 0, error == nil else { return error == nil ? 0 : -1 }
      var result: Int
      repeat {
        result = unsafe pread(descriptor, buffer, count, off_t(offset))
      } while result < 0 && errno == EINTR
      guard result > 0 else {
        error = CocoaError(reading: url, result < 0 ? errno : EIO)
        return -1
      }
      offset += Int64(result)
      return result
    }

    package override var streamStatus: Stream.Status {
      if error != nil { return .error }
      if descriptor < 0 { return .notOpen }
      return offset < length ? .open : .atEnd
    }

    package override var streamError: (any Error)? { error }
  }

  extension URLRequest {
    /// The fields that a request with a file has in addition.
    private static let fileFields = ["Content-Length", "Transfer-Encoding", "Content-Type"]

    /// Returns a request that sends a file.
    ///
    /// FoundationNetworking knows no length of a stream, and would send it in chunks, which not every server accepts. A
    /// field that has only a space isn't sent; it keeps a field from being added: chunks, and the type of a form.
    package func sending(_ file: URL, length: Int64, in configuration: URLSessionConfiguration) -> URLRequest {
      var request = self
      request.httpBodyStream = FileStream(file, length: length)
      request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
      request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
      let type = configuration.httpAdditionalHeaders?.first { ($0.key as? String)?.lowercased() == "content-type" }
      if request.value(forHTTPHeaderField: "Content-Type") == nil {
        request.setValue(type?.value as? String ?? " ", forHTTPHeaderField: "Content-Type")
      }
      return request
    }

    /// Returns a request that follows an upload of a file, and sends nothing itself.
    package var sendingNothing: URLRequest {
      var request = self
      request.httpBodyStream = nil
      for field in Self.fileFields { request.setValue(nil, forHTTPHeaderField: field) }
      return request
    }
  }
#endif
