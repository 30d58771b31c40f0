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
for (index, download) in downloads.enumerated() {
  download.onValue { _ in print("file \(index + 1) is there") }
  download.onCancel { reason in print("file \(index + 1) was stopped:", reason) }
}

struct PageClosed: Error {}

visit.cancel(after: .seconds(1), throwing: PageClosed())
for download in downloads { _ = await download.handlersFinished }
