import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct PagePartsTests {
    /// A page that neither column encodings nor LZ4 make small: several frames.
    private func large(seed: UInt64) -> PlainPage {
        var generator = SeededNumbers(seed: seed)
        let columns = (0..<10).map { _ in
            (0..<64).map { _ in
                PlainPage.Value.textBytes(
                    (0..<200).map { _ in UInt8.random(in: 0x21...0x7E, using: &generator) })
            }
        }
        return PlainPage(rowIDs: Array(0..<64), columns: columns)
    }

    @Test func aLargePageComesInParts() throws {
        let page = large(seed: 1)
        let parts = try page.frames()
        #expect(parts.count > 3)
        #expect(parts.dropLast().allSatisfy { $0.part.readableBytes == 16_384 })
        // A server keeps them: all are slices of one buffer, the least that takes them.
        let frames = page.encode()
        let byteCount = frames.reduce(0) { $0 + $1.readableBytes }
        #expect(frames.allSatisfy { $0.storageCapacity < 2 * byteCount })
        #expect(parts[0].sizes?.encodedBytes == parts.map(\.part.readableBytes).reduce(0, +))
        #expect(parts.dropFirst().allSatisfy { $0.sizes == nil })
        var assembler = PageAssembler()
        let decoded = try parts.map { try assembler.addDecoding($0) }
        #expect(decoded.dropLast().allSatisfy { $0 == nil })
        #expect(decoded.last??.columns == page.expected)
    }

    @Test func partsOfDifferentPagesMayTakeTurns() throws {
        let pages = (0..<8).map { large(seed: UInt64($0)) }
        var queues = try pages.indices.map { try pages[$0].frames(name: UInt64($0))[...] }
        var generator = SeededNumbers(seed: runSeed)
        var assembler = PageAssembler()
        var whole: [PageName: DecodedPage] = [:]
        while let index = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(
            using: &generator)
        {
            let frame = queues[index].removeFirst()
            if let page = try assembler.addDecoding(frame) { whole[frame.name] = page }
        }
        for (index, page) in pages.enumerated() {
            let decoded = whole[PageName(rawValue: UInt64(index))]
            #expect(decoded?.columns == page.expected, "VALET_SEED=\(runSeed)")
        }
    }

    @Test func aPageThatBeginsAnewStartsOver() throws {
        let page = large(seed: 1)
        let parts = try page.frames()
        var assembler = PageAssembler()
        #expect(try assembler.addDecoding(parts[0]) == nil)
        #expect(try assembler.addDecoding(parts[1]) == nil)
        let decoded = try parts.map { try assembler.addDecoding($0) }
        #expect(decoded.last??.columns == page.expected)
    }

    @Test func aPageThatIsGivenUpIsForgotten() throws {
        let page = large(seed: 1)
        let parts = try page.frames()
        let givingUp = PageFrame.givingUp(PageName(rawValue: 1))
        let givenUp = try PageFrame(frame: Frame(whole: givingUp.readableBytesView))
        var assembler = PageAssembler()
        #expect(try assembler.addDecoding(parts[0]) == nil)
        #expect(try assembler.addDecoding(givenUp) == nil)
        for frame in [parts[1], givenUp] {
            let error = failure { try assembler.addDecoding(frame) }
            #expect(error?.code == .malformed, "nothing of it is here")
        }
        let decoded = try parts.map { try assembler.addDecoding($0) }
        #expect(decoded.last??.columns == page.expected)
    }

    @Test(arguments: [
        // A later part without its first, a part after the last, more bytes than announced, and a
        // part that is missing.
        [1], [0, 1, 2, 3, 4, 5, 6, 7, 1], [0, 1, 2, 3, 4, 5, 6, 1], [0, 2, 1, 3, 4, 5, 6, 7],
    ])
    func partsInAnotherOrderAreMalformed(order: [Int]) throws {
        let parts = try large(seed: 1).frames()
        #expect(parts.count == 8)
        var assembler = PageAssembler()
        for place in order.dropLast() { _ = try assembler.addDecoding(parts[place]) }
        let error = failure { try assembler.addDecoding(parts[order[order.count - 1]]) }
        #expect(error?.code == .malformed)
    }

    @Test func onlySoManyPagesMayBeUnderWay() throws {
        var assembler = PageAssembler()
        let sizes = PageFrame.Sizes(rawBytes: 100, encodedBytes: 100, isCompressed: false)
        func begin(_ name: Int) throws(ValetError) {
            let part = ByteBuffer(bytes: [0])
            _ = try assembler.addDecoding(
                PageFrame(name: PageName(rawValue: UInt64(name)), sizes: sizes, part: part))
        }
        for name in 0..<Limits.partialPages { try begin(name) }
        try begin(0)
        let error = failure { try begin(Limits.partialPages) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func onlySoManyBytesMayBeUnderWay() throws {
        var assembler = PageAssembler()
        let part = ByteBuffer(repeating: 0, count: Limits.rawBytesPerPage - 1)
        let sizes = PageFrame.Sizes(
            rawBytes: Limits.rawBytesPerPage, encodedBytes: Limits.rawBytesPerPage,
            isCompressed: false)
        let error = failure {
            for name in 0..<17 as Range<UInt64> {
                _ = try assembler.addDecoding(
                    PageFrame(name: PageName(rawValue: name), sizes: sizes, part: part))
            }
        }
        #expect(error?.code == .limitExceeded)
    }
}
