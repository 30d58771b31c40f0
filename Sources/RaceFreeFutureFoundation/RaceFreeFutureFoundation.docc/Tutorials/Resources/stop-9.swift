import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let session = URLSession.withTransferDelegate()
guard let address = URL(string: "http://127.0.0.1:8000/") else { fatalError("no address") }
let file = URL(fileURLWithPath: "copy")

func save(_ address: URL, as file: URL, in session: URLSession) async throws {
  let download = session.downloadFuture(from: address, to: file, replacing: true)
  _ = try await download.ownedValue
}

let task = Task { try await save(address, as: file, in: session) }
try await Task.sleep(for: .seconds(1))
task.cancel()

switch await task.result {
case .success: print("saved")
case .failure(let error): print("not saved:", error)
}
