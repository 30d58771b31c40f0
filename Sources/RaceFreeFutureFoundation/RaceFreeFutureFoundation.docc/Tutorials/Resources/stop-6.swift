import Foundation
import RaceFreeFuture
import RaceFreeFutureFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let session = URLSession.withTransferDelegate()
guard let address = URL(string: "http://127.0.0.1:8000/") else { fatalError("no address") }

let visit = Future(label: "visit")

let downloads = (1...3).map { number in
  session.downloadFuture(
    from: address,
    to: URL(fileURLWithPath: "copy\(number)"),
    replacing: true,
    linkedTo: visit
  )
}
