import TestSupport
import ValetModel
import ValetProtocol

/// Makes the mistakes of a server before a right one: passes frames on, pages with a mistake in
/// them. Searches that miss rows are narrower ones than the client asked.
final class Spoiler: FrameFilter {
    enum Fault: Sendable {
        /// It passes all on as it is.
        case unspoiled
        /// Two neighbours of each page change places.
        case swappedRows
        /// Every other page has the rows of one that was sent before.
        case stalePage
        /// One column has last year's cells.
        case staleCells
        /// Every search leaves out rows, the same ones for everybody.
        case missedRows
    }

    private let fault: Fault
    private var assembler = PageAssembler()
    private var older: DecodedPage?
    private var pageCount = 0

    init(_ fault: Fault) {
        self.fault = fault
    }

    func fromClient(_ frame: Frame) -> [FramePassage] {
        guard fault == .missedRows, frame.kind == FrameKind.rearrangeView.rawValue,
            var request = try? RearrangeView(frame: frame)
        else { return [.toServer(frame)] }
        request.query.search?.text += "e"
        return [.toServer(Frame(request, stream: frame.stream))]
    }

    func fromServer(_ frame: Frame) -> [FramePassage] {
        guard frame.kind == FrameKind.page.rawValue else { return [.toClient(frame)] }
        guard let part = try? PageFrame(frame: frame),
            let raw = (try? assembler.add(part)) ?? nil, let page = try? DecodedPage(raw)
        else { return [] }
        pageCount += 1
        switch fault {
        case .unspoiled, .missedRows: return [.toClient(frame)]
        case .swappedRows: return Self.swapped(page).passages(as: part.name)
        case .staleCells: return Self.aged(page).passages(as: part.name)
        case .stalePage:
            let isStale = pageCount % 2 == 0 && older?.rowIDs.count == page.rowIDs.count
            defer { older = older ?? page }
            return (isStale ? older ?? page : page).passages(as: part.name)
        }
    }

    private static func swapped(_ page: DecodedPage) -> DecodedPage {
        guard page.rowIDs.count > 20 else { return page }
        var page = page
        page.rowIDs.swapAt(10, 11)
        for column in page.columns.indices { page.columns[column].swapAt(10, 11) }
        return page
    }

    private static func aged(_ page: DecodedPage) -> DecodedPage {
        var page = page
        let last = page.columns.count - 1
        page.columns[last] = page.columns[last].map { _ in .text("Smith of old") }
        return page
    }
}
