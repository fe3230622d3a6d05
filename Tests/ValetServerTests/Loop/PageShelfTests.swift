import NIOCore
import Testing
import ValetProtocol

@testable import ValetServer

@Suite struct PageShelfTests {
    private func name(_ number: UInt64) -> PageName { PageName(rawValue: number) }

    private func page(_ byteCount: Int) -> [ByteBuffer] {
        var buffer = ByteBufferAllocator().buffer(capacity: byteCount)
        buffer.writeRepeatingByte(1, count: byteCount)
        return [buffer]
    }

    @Test func aPageIsFoundByItsName() {
        var shelf = PageShelf(budget: 1 << 20)
        shelf.insert(page(100), for: name(1))
        #expect(shelf.frames(of: name(1)) == page(100))
        #expect(shelf.frames(of: name(2)) == nil)
    }

    @Test func theBudgetIsNeverExceededForLong() {
        var shelf = PageShelf(budget: 64 << 10)
        for number in 0..<1_000 {
            shelf.insert(page(1_024), for: name(UInt64(number)))
            #expect(shelf.byteCount <= 64 << 10)
            #expect(shelf.frames(of: name(UInt64(number))) != nil, "the newest stays")
        }
        #expect(shelf.frames(of: name(0)) == nil)
    }

    @Test func pagesThatAreAskedForStayLonger() {
        var shelf = PageShelf(budget: 64 << 10)
        for number in 0..<200 {
            shelf.insert(page(1_024), for: name(UInt64(number)))
            #expect(shelf.frames(of: name(3)) != nil || number < 3)
        }
        #expect(shelf.frames(of: name(4)) == nil)
    }

    @Test func aPageLargerThanTheBudgetIsStillServed() {
        var shelf = PageShelf(budget: 1_000)
        shelf.insert(page(5_000), for: name(1))
        #expect(shelf.frames(of: name(1)) != nil)
        shelf.insert(page(100), for: name(2))
        #expect(shelf.frames(of: name(1)) == nil, "until another takes its place")
    }

    @Test func theSamePageIsCountedOnce() {
        var shelf = PageShelf(budget: 1 << 20)
        shelf.insert(page(100), for: name(1))
        let byteCount = shelf.byteCount
        shelf.insert(page(100), for: name(1))
        #expect(shelf.byteCount == byteCount)
    }
}
