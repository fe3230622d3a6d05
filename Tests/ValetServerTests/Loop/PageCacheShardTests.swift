import NIOCore
import Testing
import ValetProtocol

@testable import ValetServer

@Suite struct PageCacheShardTests {
    private func name(_ number: UInt64) -> PageName { PageName(rawValue: number) }

    private func page(_ byteCount: Int) -> [ByteBuffer] {
        var buffer = ByteBufferAllocator().buffer(capacity: byteCount)
        buffer.writeRepeatingByte(1, count: byteCount)
        return [buffer]
    }

    @Test func aPageIsFoundByItsName() {
        var shard = PageCacheShard(budget: 1 << 20)
        shard.insert(page(100), for: name(1))
        #expect(shard.frames(of: name(1)) == page(100))
        #expect(shard.frames(of: name(2)) == nil)
    }

    @Test func theBudgetIsNeverExceededForLong() {
        var shard = PageCacheShard(budget: 64 << 10)
        for number in 0..<1_000 {
            shard.insert(page(1_024), for: name(UInt64(number)))
            #expect(shard.byteCount <= 64 << 10)
            #expect(shard.frames(of: name(UInt64(number))) != nil, "the newest stays")
        }
        #expect(shard.frames(of: name(0)) == nil)
    }

    @Test func anEventLoopEvictsNothing() {
        var shard = PageCacheShard(budget: 8 << 10)
        var inserted = 0
        while shard.insertWithoutEviction(page(1_024), for: name(UInt64(inserted))) {
            inserted += 1
        }
        #expect(inserted == 7 && shard.insertions == 7)
        #expect((0..<7).allSatisfy { shard.frames(of: name($0)) != nil })
        shard.insert(page(1_024), for: name(7))
        #expect(shard.count < 7 && shard.insertWithoutEviction(page(1_024), for: name(8)))
    }

    @Test func pagesThatAreAskedForStayLonger() {
        var shard = PageCacheShard(budget: 64 << 10)
        for number in 0..<200 {
            shard.insert(page(1_024), for: name(UInt64(number)))
            #expect(shard.frames(of: name(3)) != nil || number < 3)
        }
        #expect(shard.frames(of: name(4)) == nil)
    }

    @Test func aPageLargerThanTheBudgetIsStillServed() {
        var shard = PageCacheShard(budget: 1_000)
        shard.insert(page(5_000), for: name(1))
        #expect(shard.frames(of: name(1)) != nil)
        shard.insert(page(100), for: name(2))
        #expect(shard.frames(of: name(1)) == nil, "until another takes its place")
    }

    @Test func theSamePageIsCountedOnce() {
        var shard = PageCacheShard(budget: 1 << 20)
        shard.insert(page(100), for: name(1))
        let byteCount = shard.byteCount
        shard.insert(page(100), for: name(1))
        #expect(shard.byteCount == byteCount)
    }
}
