import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let session = URLSession.withTransferDelegate()
guard let address = URL(string: "http://127.0.0.1:8000/") else { fatalError("no address") }
let file = URL(fileURLWithPath: "copy")
