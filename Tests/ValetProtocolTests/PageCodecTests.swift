import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct PageCodecTests {
    /// Encodes a page and reads it back through frames, as a client would.
    private func roundTrip(_ page: PlainPage) throws -> DecodedPage {
        var assembler = PageAssembler()
        var decoded: DecodedPage?
        #expect(page.encode().allSatisfy { $0.readableBytes <= Limits.bytesPerPageFrame + 32 })
        let frames = try page.frames()
        for (index, frame) in frames.enumerated() {
            decoded = try assembler.addDecoding(frame)
            #expect((decoded != nil) == (index == frames.count - 1))
        }
        return try #require(decoded)
    }

    private func expectRoundTrip(_ page: PlainPage, _ comment: Comment? = nil) throws {
        let decoded = try roundTrip(page)
        #expect(decoded.rowIDs == page.rowIDs, comment)
        #expect(decoded.columns == page.expected, comment)
    }

    private func column(_ values: PlainPage.Value...) -> PlainPage {
        PlainPage(rowIDs: (0..<values.count).map(Int64.init), columns: [values])
    }

    @Test(arguments: PageSample.all.indices) func aSampleComesBack(_ index: Int) throws {
        try expectRoundTrip(PageSample.all[index].page)
    }

    @Test func realsComeBackBitByBit() throws {
        let reals: [Double] = [
            .nan, -.nan, .signalingNaN, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 0.1, 1 / 3, 0x1p53, -0x1p53, 0x1p53 - 1, 1e-9, 123_456.789,
        ]
        try expectRoundTrip(
            PlainPage(
                rowIDs: reals.indices.map(Int64.init), columns: [reals.map(PlainPage.Value.real)]))
        for real in reals {
            try expectRoundTrip(column(.real(real)))
            try expectRoundTrip(column(.real(real), .real(0.5)))
            try expectRoundTrip(column(.real(0.25), .null, .real(real)))
        }
        try expectRoundTrip(
            column(.realBits(0x7FF0_0000_0000_0001), .realBits(0xFFFF_FFFF_FFFF_FFFF)))
    }

    @Test func aTextIsCutBetweenTwoScalars() throws {
        for scalar in ["a", "é", "€", "😀"] {
            for lead in 0..<4 {
                let text =
                    String(repeating: "x", count: lead) + String(repeating: scalar, count: 1_024)
                try expectRoundTrip(column(.text(text)), "\(scalar) from \(lead)")
                try expectRoundTrip(column(.text(text), .text("short")), "\(scalar) from \(lead)")
            }
        }
    }

    @Test func aTextOfTheLimitIsWhole() throws {
        let text = String(repeating: "a", count: Limits.bytesPerPageText)
        #expect(try roundTrip(column(.text(text))).columns == [[.text(text)]])
        #expect(
            try roundTrip(column(.text(text + "b"))).columns
                == [[.cutText(text, byteCount: Limits.bytesPerPageText + 1)]])
    }

    @Test func textThatIsNotUTF8KeepsItsBytes() throws {
        let malformed: [[UInt8]] = [
            [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xC0, 0x80],
            Array(repeating: 0x80, count: 2_000), Array(repeating: 0xFF, count: 1_025),
            Array(repeating: 0x61, count: 1_020) + [0xF0, 0x9F, 0x98, 0x80, 0x80, 0x80, 0x80],
            Array(repeating: 0x61, count: 1_500) + [0xFF],
        ]
        for bytes in malformed {
            try expectRoundTrip(column(.textBytes(bytes)))
            try expectRoundTrip(column(.textBytes(bytes), .text("a"), .null))
        }
    }

    @Test func textMayHoldNULAndControlCharacters() throws {
        try expectRoundTrip(column(.text("\u{0}\u{1B}[2J"), .text("\u{0}"), .text("\u{9B}")))
    }

    @Test func canonicallyEqualTextsStayApart() throws {
        let page = column(.text("\u{E9}"), .text("e\u{301}"), .text("\u{E9}"), .text("e\u{301}"))
        let decoded = try roundTrip(page)
        guard case .text(let second) = decoded.columns[0][1] else { throw Unexpected("no text") }
        #expect(Array(second.utf8) == [0x65, 0xCC, 0x81])
        #expect(decoded.columns == page.expected)
    }

    @Test func aFullPageOfTwoThousandColumnsFits() throws {
        let worst: [PlainPage.Value] = [
            .text(String(repeating: "€", count: 400)),
            .textBytes(Array(repeating: 0xFF, count: 9_000)),
            .integer(.min), .real(.pi), .blob(1 << 40), .null,
        ]
        for offset in 0..<2 {
            let columns = (0..<Limits.columnsPerList).map { column in
                (0..<64).map { row in worst[(row + column * offset) % worst.count] }
            }
            let page = PlainPage(
                rowIDs: (0..<64).map { $0 % 2 == 0 ? .min : .max }, columns: columns)
            try expectRoundTrip(page)
        }
    }

    @Test func theLongestTextsOfEveryWidthFit() throws {
        for columnCount in [1, 15, 16, 17, 100] {
            let columns = (0..<columnCount).map { column in
                (0..<64).map { row in
                    PlainPage.Value.text("\(row) \(column)" + String(repeating: "y", count: 1_500))
                }
            }
            try expectRoundTrip(PlainPage(rowIDs: Array(0..<64), columns: columns))
        }
    }

    /// Random pages against the plain values: every kind in every mixture.
    @Test(arguments: 0..<40) func aRandomPageComesBack(_ part: UInt64) throws {
        let seed = runSeed &+ part
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<10 {
            let page = RandomPage.make(&generator)
            try expectRoundTrip(page, "VALET_SEED=\(runSeed), part \(part)")
        }
    }

    @Test func theSmallestEncodingIsChosen() throws {
        func encoding(_ values: PlainPage.Value...) -> UInt8 {
            let page = PlainPage(rowIDs: values.map { _ in 0 }, columns: [values])
            let frame = Array(page.encode()[0].readableBytesView)
            // Header, name, two sizes of a byte, rows, columns, row ids.
            return frame[8 + 8 + 2 + 2 + values.count]
        }
        #expect(encoding(.text("a"), .text("a")) == 0)
        #expect(encoding(.null) == 0)
        #expect(encoding(.text("a"), .text("b"), .text("a"), .text("b")) == 1)
        #expect(encoding(.integer(1), .integer(2)) == 2)
        #expect(encoding(.real(0.5), .real(2)) == 3)
        #expect(encoding(.text("a"), .text("b")) == 4)
        #expect(encoding(.integer(1), .text("b")) == 5)
        #expect(encoding(.integer(1), .null) == 0x82)
    }
}

enum RandomPage {
    static func make(_ generator: inout SeededNumbers) -> PlainPage {
        let rows = generator.once(in: 8) ? 0 : Int.random(in: 1...64, using: &generator)
        let columns = generator.once(in: 8) ? 0 : Int.random(in: 1...40, using: &generator)
        return PlainPage(
            rowIDs: (0..<rows).map { _ in integer(&generator) },
            columns: (0..<columns).map { _ in column(rows, &generator) })
    }

    private static func column(_ rows: Int, _ generator: inout SeededNumbers) -> [PlainPage.Value] {
        let kind = Int.random(in: 0..<6, using: &generator)
        let isSparse = generator.once(in: 3)
        let pool = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
            value(kind: kind, &generator)
        }
        let repeats = generator.once(in: 2)
        return (0..<rows).map { _ in
            if isSparse, generator.once(in: 2) { return .null }
            return repeats
                ? pool[Int.random(in: 0..<pool.count, using: &generator)]
                : value(kind: kind, &generator)
        }
    }

    private static func value(kind: Int, _ generator: inout SeededNumbers) -> PlainPage.Value {
        switch kind {
        case 0: return .integer(integer(&generator))
        case 1: return .real(Double(Int.random(in: -99_999...99_999, using: &generator)) / 1_000)
        case 2: return .realBits(generator.next())
        case 3: return .text(text(&generator))
        case 4:
            let count = Int.random(in: 0..<30, using: &generator)
            return .textBytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        default:
            if generator.once(in: 4) {
                return .blob(Int.random(in: 0...1 << 40, using: &generator))
            }
            let other = Int.random(in: 0..<5, using: &generator)
            return value(kind: other, &generator)
        }
    }

    private static func integer(_ generator: inout SeededNumbers) -> Int64 {
        // As many small numbers as large ones.
        Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
    }

    private static func text(_ generator: inout SeededNumbers) -> String {
        let scalars: [Unicode.Scalar] = ["a", "b", " ", "ß", "é", "\u{301}", "語", "😀", "\u{0}"]
        let isLong = generator.once(in: 20)
        let count = Int.random(in: 0..<(isLong ? 1_500 : 12), using: &generator)
        var text = String.UnicodeScalarView()
        for _ in 0..<count {
            text.append(scalars[Int.random(in: 0..<scalars.count, using: &generator)])
        }
        return String(text)
    }
}
