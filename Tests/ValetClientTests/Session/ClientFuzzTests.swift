import NIOCore
import NIOEmbedded
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// Conversations with a server whose right answers are spoilt on the way: each ends in data or in a
/// typed error. Nothing traps, and what is kept stays within its limits.
@Suite struct ClientFuzzTests {
    @Test(arguments: 0..<20) func anyAnswersEndInDataOrAnError(part: Int) throws {
        var (whole, spoilt) = (0, 0)
        for round in 0..<100 {
            let numbers = SeededNumbers(seed: runSeed, index: part << 16 + round)
            let isTrue = round % 10 == 0
            var talk = try FuzzedTalk(numbers, spoils: isTrue ? 0 : 60)
            try talk.run(steps: 25)
            let reason = talk.server.handler.failure
            let comment: Comment =
                "VALET_SEED=\(runSeed), part \(part), round \(round): \(reason?.message ?? "")"
            if reason == nil { whole += 1 } else { spoilt += 1 }
            #expect(!isTrue || reason == nil, comment)
            #expect(talk.told.complaints == [], comment)
            talk.server.handler.end(ValetError(.shuttingDown, "the test is over"))
            #expect(talk.told.waiting == [], comment)
        }
        #expect(whole > 10 && spoilt > 10, "both are to be tried")
    }
}

/// One client that asks at random, and one server that is right but for what happens on the wire.
private struct FuzzedTalk {
    let server: EmbeddedServer
    private var numbers: SeededNumbers
    /// How many of a thousand frames are spoilt.
    private let spoils: Int
    private var views: [ViewNumber] = []
    private var lastView: UInt64 = 0
    let told = Told()

    final class Told {
        var complaints: [String] = []
        /// Requests and windows that were asked and have not ended.
        var waiting: Set<Int> = []
        var asked = 0
    }

    init(_ numbers: SeededNumbers, spoils: Int) throws {
        self.numbers = numbers
        self.spoils = spoils
        server = try EmbeddedServer()
        try answerAll()
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps where server.handler.failure == nil {
            step()
            // Some answers wait for others.
            if numbers.below(4) > 0 { try answerAll() }
        }
        try answerAll()
    }

    private mutating func begin() -> Int {
        told.asked += 1
        told.waiting.insert(told.asked)
        return told.asked
    }

    private mutating func step() {
        let view = views.isEmpty ? nil : views[numbers.below(views.count)]
        let request = begin()
        let ended = { [told] in _ = told.waiting.remove(request) }
        switch (numbers.below(13), view) {
        case (0, _), (_, nil):
            lastView += 1
            let number = ViewNumber(rawValue: lastView)
            views.append(number)
            let columns = numbers.below(2) == 0 ? [] : ["year"]
            server.handler.open(
                number, list: "cars", columns: columns, Query(), progress: { _ in }
            ) { _ in ended() }
        case (1, let view?):
            server.handler.rearrange(view, Query(), progress: { _ in }) { _ in ended() }
        case (2, let view?):
            server.handler.close(view) { _ in ended() }
            views.removeAll { $0 == view }
        case (3, let view?): ask(view, ended, Asking.index(most: numbers.below(20)))
        case (4, let view?):
            let (start, most) = (numbers.below(12), numbers.below(20))
            let order: SectionsRequest.Order = numbers.below(2) == 0 ? .inPlace : .byRows
            ask(view, ended, Asking.sections(from: start, most: most, order: order))
        case (5, let view?): ask(view, ended, Asking.place(ofRow: Int64(numbers.below(1_200))))
        case (6, _): ask(nil, ended, Asking.detail(rowID: Int64(numbers.below(1_200))))
        case (7, _): ask(nil, ended, Asking.piece(offset: numbers.below(120_000)))
        case (8, _): ask(nil, ended, Asking.catalog)
        case (9, let view?):
            let (all, section) = (numbers.below(2) == 0, numbers.below(12))
            ask(view, ended, Asking.aggregates(ofAllRows: all, sections: [section, 3]))
        case (_, let view?): askWindow(view, ended)
        }
    }

    private func ask(_ view: ViewNumber?, _ ended: @escaping () -> Void, _ make: Asking.Make) {
        server.handler.ask(view: view, make) { _ in ended() }
    }

    private mutating func askWindow(_ view: ViewNumber, _ ended: @escaping () -> Void) {
        let place = numbers.below(1_100)
        let anchors: [Anchor] = [
            .ordinal(place), .path(IndexPath(section: place / 100, row: place % 130)),
            .rowID(Int64(place % Cars.rows)), .fraction(UInt32(truncatingIfNeeded: numbers.next())),
            .end,
        ]
        let wish = ClientSession.WindowWish(
            anchor: anchors[numbers.below(anchors.count)], rowsBefore: numbers.below(60),
            rows: numbers.below(120), wantsParts: numbers.below(2) == 0)
        server.handler.requestWindow(view, wish) { [told] result in
            switch result {
            case .success(let window):
                told.complaints += window.complaints
                if window.isComplete { ended() }
            case .failure: ended()
            }
        }
    }

    // MARK: The server

    private mutating func answerAll() throws {
        while server.handler.failure == nil, let (message, stream) = try server.heardOnStream() {
            for answer in Cars.answers(message) {
                var bytes = ByteBuffer()
                answer.encode(stream: stream, into: &bytes)
                let times = spoil(&bytes)
                for _ in 0..<times where server.handler.failure == nil { try server.say(bytes) }
            }
        }
        let session = server.handler.session
        if session.pages.byteCount > Limits.bytesOfPagesKept || session.views.count > 64
            || session.waiting.count > Limits.waitingRequestsPerConnection
        {
            told.complaints.append("too much is kept")
        }
    }

    /// - Returns: how often the frame is said.
    private mutating func spoil(_ bytes: inout ByteBuffer) -> Int {
        guard numbers.happens(perThousand: spoils) else { return 1 }
        let payload = bytes.readableBytes - Frame.headerBytes
        let place = Frame.headerBytes + numbers.below(max(1, payload))
        switch numbers.below(6) {
        case 0: return 0
        case 1: return 2
        case 2:
            let stream = UInt16(truncatingIfNeeded: numbers.below(4))
            bytes.setInteger(stream, at: 6, endianness: .little)
        case 3:
            let anywhere = numbers.below(bytes.readableBytes)
            bytes.setInteger(UInt8(truncatingIfNeeded: numbers.next()), at: anywhere)
        default:
            // Another number in the place of one that takes a byte.
            var spoilt = ByteBuffer(bytes: bytes.getBytes(at: 0, length: place) ?? [])
            let numbersToTry = [
                0, 1, 2, 5, 63, 64, 65, 127, 128, 999, 1_000, 1_001, 1_024, 1_025, 9_999,
                Int(UInt32.max), Limits.largestCount - 1, Limits.largestCount,
            ]
            spoilt.writeVarint(UInt64(numbersToTry[numbers.below(numbersToTry.count)]))
            let rest = min(place + 1, bytes.readableBytes)
            spoilt.writeBytes(bytes.getBytes(at: rest, length: bytes.readableBytes - rest) ?? [])
            let length = UInt32(spoilt.readableBytes - Frame.headerBytes)
            spoilt.setInteger(length, at: 0, endianness: .little)
            bytes = spoilt
        }
        return 1
    }
}

extension Window {
    /// What a program that shows the window could not rely on.
    fileprivate var complaints: [String] {
        var complaints: [String] = []
        if first + rows.count > totalRows { complaints.append("rows beyond the last") }
        for row in rows.compactMap(\.self) where row.cells.count != 2 {
            complaints.append("a row of \(row.cells.count) cells")
        }
        for ordinal in first..<first + rows.count {
            let runs = runs.count { $0.first <= ordinal && ordinal < $0.first + $0.count }
            if runs != 1 { complaints.append("row \(ordinal) in \(runs) sections") }
        }
        if runs.contains(where: { $0.section >= totalSections }) {
            complaints.append("a section beyond the last")
        }
        return complaints
    }
}
