import NIOCore
import Testing
import ValetProtocol

@testable import ValetServer

@Suite struct PageCacheTests {
    private func name(_ number: UInt64) -> PageName { PageName(rawValue: number) }

    private func page(_ byteCount: Int) -> [ByteBuffer] {
        var buffer = ByteBufferAllocator().buffer(capacity: byteCount)
        buffer.writeRepeatingByte(1, count: byteCount)
        return [buffer]
    }

    @Test func aPageIsFoundByItsName() {
        var cache = PageCache(budget: 1 << 20)
        cache.insert(page(100), for: name(1))
        #expect(cache.frames(of: name(1)) == page(100))
        #expect(cache.frames(of: name(2)) == nil)
    }

    @Test func theBudgetIsNeverExceededForLong() {
        var cache = PageCache(budget: 64 << 10)
        for number in 0..<1_000 {
            cache.insert(page(1_024), for: name(UInt64(number)))
            #expect(cache.byteCount <= 64 << 10)
            #expect(cache.frames(of: name(UInt64(number))) != nil, "the newest stays")
        }
        #expect(cache.frames(of: name(0)) == nil)
    }

    @Test func pagesThatAreAskedForStayLonger() {
        var cache = PageCache(budget: 64 << 10)
        for number in 0..<200 {
            cache.insert(page(1_024), for: name(UInt64(number)))
            #expect(cache.frames(of: name(3)) != nil || number < 3)
        }
        #expect(cache.frames(of: name(4)) == nil)
    }

    @Test func aPageLargerThanTheBudgetIsStillServed() {
        var cache = PageCache(budget: 1_000)
        cache.insert(page(5_000), for: name(1))
        #expect(cache.frames(of: name(1)) != nil)
        cache.insert(page(100), for: name(2))
        #expect(cache.frames(of: name(1)) == nil, "until another takes its place")
    }

    @Test func theSamePageIsCountedOnce() {
        var cache = PageCache(budget: 1 << 20)
        cache.insert(page(100), for: name(1))
        let byteCount = cache.byteCount
        cache.insert(page(100), for: name(1))
        #expect(cache.byteCount == byteCount)
    }
}
