import ValetModel
import ValetProtocol

extension Result where Failure == ValetError {
    /// nil for success.
    var code: ErrorCode? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}

/// Requests to which a session gives numbers, and the generations of their views.
enum Asking {
    typealias Make = (_ request: UInt32, _ generation: UInt32) -> ClientMessage

    static func catalog(request: UInt32, _: UInt32) -> ClientMessage {
        .catalogRequest(CatalogRequest(request: request, countsRows: false))
    }

    static func statistics(request: UInt32, _: UInt32) -> ClientMessage {
        .statisticsRequest(StatisticsRequest(request: request))
    }

    static func detail(list: String = "cars", rowID: Int64) -> Make {
        { request, _ in
            .detailRequest(DetailRequest(request: request, list: list, rowID: rowID))
        }
    }

    static func piece(offset: Int) -> Make {
        { request, _ in
            .pieceRequest(
                PieceRequest(
                    request: request, list: "cars", rowID: 1, column: "make", offset: offset))
        }
    }

    static func index(most: Int) -> Make {
        { .indexRequest(IndexRequest(request: $0, generation: $1, mostTitles: most)) }
    }

    static func sections(from start: Int, most: Int, order: SectionsRequest.Order) -> Make {
        {
            .sectionsRequest(
                SectionsRequest(
                    request: $0, generation: $1, start: .ordinal(start), mostSections: most,
                    order: order))
        }
    }

    static func place(ofRow rowID: Int64) -> Make {
        { .locateRequest(LocateRequest(request: $0, generation: $1, rowID: rowID)) }
    }

    static func aggregates(ofAllRows: Bool = true, sections: [Int]) -> Make {
        {
            .aggregatesRequest(
                AggregatesRequest(
                    request: $0, generation: $1,
                    measures: [Measure(column: "year", function: .sum)], wantsAllRows: ofAllRows,
                    sections: sections))
        }
    }
}
