import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

/// The malformed twins of every message: each must end in a typed error, and in the right one.
@Suite struct MalformedTests {
    @Test(arguments: Sample.all) func aMessageCutAnywhereIsMalformed(_ sample: Sample) {
        for length in 0..<sample.payload.count {
            let error = failure { try sample.decode(payload: Array(sample.payload.prefix(length))) }
            #expect(error?.code == .malformed, "cut to \(length) bytes")
        }
    }

    @Test(arguments: Sample.all) func aTrailingByteIsMalformed(_ sample: Sample) {
        for byte: UInt8 in [0, 1, 0x80, 0xFF] {
            let error = failure { try sample.decode(payload: sample.payload + [byte]) }
            #expect(error?.code == .malformed)
        }
    }

    @Test(arguments: Sample.all) func unknownFlagsAreMalformed(_ sample: Sample) {
        for bit in 0..<8 {
            let error = failure {
                try sample.decode(payload: sample.payload, flags: 1 << UInt8(bit))
            }
            #expect(error?.code == .malformed)
        }
    }

    @Test(arguments: Sample.all) func aMessageFromTheWrongSideIsUnexpected(_ sample: Sample) throws
    {
        let frame = try Frame(whole: sample.bytes)
        let error = failure {
            if frame.kind < 0x80 {
                _ = try ServerMessage(frame: frame)
            } else {
                _ = try ClientMessage(frame: frame)
            }
        }
        #expect(error?.code == .unexpected)
    }

    /// Every field is spoilt in each way that its kind allows.
    @Test(arguments: Sample.all) func aSpoiltFieldIsRefused(_ sample: Sample) {
        for piece in Dissection(frame: sample.bytes).pieces {
            for (spoilt, codes) in spoil(piece, of: sample.payload) {
                let error = failure { try sample.decode(payload: spoilt) }
                #expect(
                    error.map { codes.contains($0.code) } == true,
                    "\(piece.label): \(String(describing: error))")
            }
        }
    }

    private func spoil(
        _ piece: Dissection.Piece, of payload: [UInt8]
    ) -> [(bytes: [UInt8], codes: Set<ErrorCode>)] {
        func with(_ range: Range<Int>, _ bytes: [UInt8]) -> [UInt8] {
            Array(payload[..<range.lowerBound]) + bytes + Array(payload[range.upperBound...])
        }
        let tenBytes = Array(repeating: UInt8(0xFF), count: 9)
        switch piece.role {
        case .fixed: return []
        case .bool: return [2, 0xFF].map { (with(piece.range, [$0]), [.malformed]) }
        case .choice: return [0x40, 0xFF].map { (with(piece.range, [$0]), [.malformed]) }
        case .varint:
            return [
                (with(piece.range, overlong(payload[piece.range])), [.malformed]),
                (with(piece.range, tenBytes + [0x02]), [.malformed]),
                (with(piece.range, tenBytes + [0x80, 0x01]), [.malformed]),
            ]
        case .count, .text, .bytes:
            let length =
                piece.role == .count ? piece.range : piece.range.lowerBound..<piece.contents
            var spoilt: [([UInt8], Set<ErrorCode>)] = [
                (with(length, overlong(payload[length])), [.malformed]),
                // More than is there; more than any limit; more than fits.
                (with(length, [0xFF, 0x7F]), [.malformed, .limitExceeded]),
                (with(length, [0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), [.limitExceeded]),
                (with(length, tenBytes + [0x01]), [.malformed]),
            ]
            if piece.role == .text, piece.contents < piece.range.upperBound {
                let first = piece.contents..<piece.contents + 1
                spoilt.append((with(first, [0xFF]), [.malformed]))
            }
            return spoilt
        }
    }

    /// The same number in one byte more.
    private func overlong(_ varint: ArraySlice<UInt8>) -> [UInt8] {
        varint.dropLast() + [(varint.last ?? 0) | 0x80, 0]
    }

    // MARK: Numbers that contradict each other

    @Test func aHelloHasLimits() {
        func hello(name: String = "", parameters: Int = 0) -> ErrorCode? {
            let parameter = Parameter(key: 2, value: [])
            return refusal(
                of: Hello(
                    creditBytes: 0, station: Station(name: name, id: Sample.station.id),
                    parameters: Array(repeating: parameter, count: parameters)))
        }
        let longest = String(repeating: "n", count: Limits.bytesPerName)
        #expect(hello(name: longest) == nil && hello(name: longest + "n") == .limitExceeded)
        #expect(hello(parameters: Parameter.most) == nil)
        #expect(hello(parameters: Parameter.most + 1) == .limitExceeded)
    }

    @Test func velocityAndRoundTripFit32Bits() {
        var payload = ByteBuffer()
        WindowRequest(request: 1, generation: 0, anchor: .end, rows: 1).write(into: &payload)
        var velocity = ByteBuffer()
        velocity.writeSigned(Int64(Int32.max) + 1)
        var roundTrip = ByteBuffer()
        roundTrip.writeVarint(UInt64(UInt32.max) + 1)
        for (place, large) in [(5, velocity), (6, roundTrip)] {
            var bytes = Array(payload.readableBytesView)
            bytes.replaceSubrange(place..<place + 1, with: large.readableBytesView)
            let frame = Frame(kind: 0x0B, payload: ByteBuffer(bytes: bytes))
            #expect(failure { try ClientMessage(frame: frame) }?.code == .malformed)
        }
    }

    @Test func aSearchHasALimit() {
        func search(_ count: Int) -> RearrangeView {
            RearrangeView(
                request: 1, generation: 1,
                query: Query(search: .init(text: String(repeating: "a", count: count))))
        }
        #expect(refusal(of: search(Limits.bytesPerSearch)) == nil)
        #expect(refusal(of: search(Limits.bytesPerSearch + 1)) == .limitExceeded)
    }

    @Test func aStatisticStandsOnce() {
        func statistics(_ names: [String]) -> ErrorCode? {
            let entries = names.map { ServerStatistics.Entry(name: $0, value: 1) }
            return refusal(
                of: StatisticsAnswer(request: 1, statistics: ServerStatistics(entries: entries)))
        }
        #expect(statistics(["views", "Views"]) == nil)
        #expect(statistics(["views", "lists", "views"]) == .malformed)
        let many = (0...Limits.statistics).map { "\($0)" }
        #expect(statistics(many.dropLast()) == nil)
        #expect(statistics(many) == .limitExceeded)
        let long = String(repeating: "n", count: Limits.bytesPerName)
        #expect(statistics([long]) == nil)
        #expect(statistics([long + "n"]) == .limitExceeded)
    }

    @Test func aCatalogCountsItsLists() {
        let entry = CatalogAnswer.Entry(list: Sample.cars, rowCount: 1)
        func part(_ total: Int, _ ordinal: Int, _ entry: CatalogAnswer.Entry?) -> ErrorCode? {
            refusal(of: CatalogAnswer(request: 1, total: total, ordinal: ordinal, entry: entry))
        }
        #expect(part(0, 0, nil) == nil)
        #expect(part(0, 1, nil) == .malformed)
        #expect(part(0, 0, entry) == .malformed)
        #expect(part(1, 0, nil) == .malformed)
        #expect(part(1, 1, entry) == .malformed)
        #expect(part(Limits.lists, Limits.lists - 1, entry) == nil)
        #expect(part(Limits.lists + 1, 0, entry) == .limitExceeded)
    }

    @Test func tablesLeftOutAreCountedInTheFirstFrame() {
        let entry = CatalogAnswer.Entry(list: Sample.cars, rowCount: 1)
        func part(_ ordinal: Int, _ count: Int, named: Int) -> ErrorCode? {
            refusal(
                of: CatalogAnswer(
                    request: 1, total: 2, ordinal: ordinal, entry: entry, leftOutCount: count,
                    leftOut: Array(repeating: LeftOut(name: "t", reason: "r"), count: named)))
        }
        let limit = Limits.tablesLeftOut
        #expect(part(0, limit + 1, named: limit) == nil)
        #expect(part(0, limit + 1, named: limit + 1) == .limitExceeded)
        #expect(part(0, 1, named: 2) == .malformed)
        #expect(part(1, 1, named: 0) == .malformed)
    }

    @Test(arguments: 0..<6) func aListNamesOnlyColumnsThatItHas(_ way: Int) {
        var list = Sample.cars
        switch way {
        case 0: list.titleColumn = 4
        case 1: list.groupings[0].column = 4
        case 2: list.groupings[0].rowOrder[1].column = 4
        case 3: list.scopes[0].columns = .columns([0, 4])
        case 4: list.groupings = []
        default: list.groupings[0].column = nil
        }
        let entry = CatalogAnswer.Entry(list: list, rowCount: nil)
        let answer = CatalogAnswer(request: 1, total: 1, ordinal: 0, entry: entry)
        #expect(refusal(of: answer) == .malformed)
    }

    @Test func nothingIsMoreThanDone() {
        let progress = BuildProgress(request: 1, generation: 1, thousandths: .max)
        #expect(refusal(of: progress) == .malformed)
    }

    @Test func aPieceEndsWithItsCell() {
        func piece(_ offset: Int, _ count: Int) -> ErrorCode? {
            refusal(
                of: PieceAnswer(
                    request: 1, revision: 1, byteCount: 10, offset: offset,
                    bytes: Array(repeating: 0, count: count)))
        }
        #expect(piece(7, 3) == nil)
        #expect(piece(7, 4) == .malformed)
        #expect(piece(11, 1) == .malformed)
        #expect(piece(Limits.largestCount, 1) == .malformed)
        #expect(piece(Limits.largestCount, 0) == nil)
    }

    @Test func aCellIsNotLargerThanItself() {
        func detail(_ cell: Cell) -> ErrorCode? {
            refusal(of: DetailAnswer(request: 1, revision: 1, rowID: 1, cells: [cell]))
        }
        #expect(detail(.cutText("abc", byteCount: 3)) == .malformed)
        #expect(detail(.malformedText(bytes: [0xFF], byteCount: 0)) == .malformed)
        #expect(detail(.blob(bytes: [1], byteCount: 0)) == .malformed)
        let long = String(repeating: "a", count: Limits.bytesPerDetailCell + 1)
        #expect(detail(.text(long)) == .limitExceeded)
        #expect(detail(.cutText(long, byteCount: 9_999)) == .limitExceeded)
        #expect(detail(.blob(bytes: Array(long.utf8), byteCount: 9_999)) == .limitExceeded)
    }

    @Test func aWindowStaysInItsList() {
        func window(
            first: Int = 0, rows: Int = 0, run: (Int, Int)? = nil, page: (Int, Int)? = nil,
            listRows: Int = 2_000
        ) -> ErrorCode? {
            refusal(
                of: WindowAnswer(
                    request: 1, generation: 1, revision: 1, totalRows: 2_000, totalSections: 1,
                    listRows: listRows, anchor: 0, first: first, rows: rows,
                    runs: run.map { [SectionRun(section: 0, title: "", first: $0, count: $1)] }
                        ?? [],
                    pages: page.map {
                        [PagePlace(name: PageName(rawValue: 1), first: $0, rows: $1)]
                    }
                        ?? []))
        }
        let most = Limits.largestCount
        #expect(window(first: 976, rows: 1_024, run: (0, 2_000), page: (1_936, 64)) == nil)
        #expect(window(first: 2_000) == nil)
        #expect(window(listRows: 1_999) == .malformed)
        #expect(window(first: 2_001) == .malformed)
        #expect(window(first: 1_999, rows: 2) == .malformed)
        #expect(window(rows: 1_025) == .limitExceeded)
        #expect(window(run: (1, 2_000)) == .malformed)
        #expect(window(run: (most, most)) == .malformed)
        #expect(window(page: (1_937, 64)) == .malformed)
        #expect(window(page: (0, 65)) == .malformed)
        #expect(window(page: (most, 64)) == .malformed)
    }
}
