import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let session = URLSession.withTransferDelegate()
guard let address = URL(string: "http://127.0.0.1:8000/") else { fatalError("no address") }
let file = URL(fileURLWithPath: "copy")

let download = session.downloadFuture(from: address, to: file, replacing: true)
download.onValue { _ in print("the file is there") }
download.onFailure { error in print("there is no file:", error) }
download.onCancel { reason in print("stopped:", reason) }

struct Interrupted: Error {}

download.cancel(on: [.interrupt], throwing: Interrupted())

print("the download was", await download.handlersFinished)
