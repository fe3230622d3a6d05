import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetClient
@testable import ValetProtocol

@Suite struct PageStoreTests {
    private func page(columns: Int) -> RawPage {
        var assembler = PageAssembler()
        return Cars.page(0, rows: 64, columns: columns).compactMap { try? assembler.add($0) }[0]
    }

    private func name(_ number: Int) -> PageName { PageName(rawValue: UInt64(number)) }

    @Test func theLeastRecentlyShownGoFirst() {
        var store = PageStore()
        let small = page(columns: 1)
        for number in 0..<Limits.pagesKept { store.insert(small, for: name(number)) }
        store.touch(name(0))
        store.insert(small, for: name(1_000))
        #expect(store.contains(name(0)))
        #expect(!store.contains(name(1)))
        #expect(store.count == Limits.pagesKept)
        #expect(Array(store.newest(most: 2).map(\.name)) == [name(0), name(1_000)])
        // However often they are shown.
        for round in 0..<100 {
            for number in 2...64 { store.touch(name(number)) }
            store.insert(small, for: name(2_000 + round))
        }
        #expect((2...64).allSatisfy { store.contains(name($0)) } && !store.contains(name(65)))
        #expect(Array(store.newest(most: 2).map(\.name)) == [name(64), name(2_099)])
    }

    @Test func widePagesAreFewer() {
        var store = PageStore()
        let wide = page(columns: 500)
        for number in 0..<100 {
            store.insert(wide, for: name(number))
            #expect(store.byteCount <= Limits.bytesOfPagesKept)
            #expect(store.contains(name(number)))
        }
        #expect((4..<50).contains(store.count))
    }

    @Test func aPageThatComesTwiceIsCountedOnce() {
        var store = PageStore()
        store.insert(page(columns: 3), for: name(1))
        let bytes = store.byteCount
        store.insert(page(columns: 3), for: name(1))
        #expect(store.byteCount == bytes)
        #expect(store.count == 1)
    }

    @Test func aPageWeighsTheSameBeforeAndAfterItIsDecoded() throws {
        var store = PageStore()
        let page = page(columns: 3)
        store.insert(page, for: name(1))
        let bytes = store.byteCount
        #expect(bytes > 64 * 4 * MemoryLayout<Cell>.stride)
        _ = try store.decoded(name(1))
        store.insert(page, decoded: try DecodedPage(page), for: name(1))
        #expect(store.byteCount == bytes)
    }

    /// A few KiB on the wire that unpack to megabytes and claim to have no cells.
    @Test func pagesThatHoldMoreThanTheirCellsAreWeighedByIt() throws {
        let server = try EmbeddedServer(views: [1])
        let raw = ByteBuffer(repeating: 0, count: 4_000_000)
        let block = try #require(LZ4.compress(raw))
        let sizes = PageFrame.Sizes(
            rawBytes: raw.readableBytes, encodedBytes: block.readableBytes, isCompressed: true)
        for number in 0..<300 {
            var bytes = ByteBuffer()
            PageFrame(name: name(number), sizes: sizes, part: block).encode(into: &bytes)
            try server.say(bytes)
        }
        let pages = server.handler.pages
        #expect(server.handler.failure == nil)
        #expect(pages.contains(name(299)))
        #expect(pages.count <= Limits.bytesOfPagesKept / raw.readableBytes)
        #expect(pages.byteCount >= pages.count * raw.readableBytes)
    }

    /// A page that was not compressed is a slice of all that was received with it.
    @Test func aKeptPageLetsGoOfWhatItCameWith() throws {
        let server = try EmbeddedServer(views: [1])
        var bytes = ByteBuffer()
        let other = ByteBuffer(repeating: 0, count: 1 << 20)
        let unknownKind: UInt8 = 0xEE
        bytes.writeInteger(UInt32(other.readableBytes), endianness: .little)
        bytes.writeBytes([unknownKind, 0, 0, 0])
        bytes.writeImmutableBuffer(other)
        bytes.writeImmutableBuffer(EmbeddedServer.page(1, first: 0, rows: 1)[0])
        try server.say(bytes)
        guard case .raw(let kept) = server.handler.pages.newest(most: 1).map(\.page).first else {
            throw Unexpected("the page was not kept")
        }
        #expect(kept.bytes.storageCapacity < 1_000)
        #expect(try DecodedPage(kept).rowIDs == [0])
    }
}
