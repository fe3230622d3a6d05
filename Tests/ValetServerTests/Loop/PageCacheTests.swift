import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// The shards of a cache together; each alone is tested as `PageCacheShard`.
@Suite struct PageCacheTests {
    private static func name(ofLeaf leaf: UInt64, projection: UInt64) -> PageName {
        PageName(rawValue: leaf << UInt64(Projection.numberBits) | projection)
    }

    /// A page that contains its own name.
    private static func page(_ name: PageName, byteCount: Int = 1_024) -> [ByteBuffer] {
        var buffer = ByteBufferAllocator().buffer(capacity: byteCount)
        buffer.writeInteger(name.rawValue)
        return [buffer]
    }

    @Test func theBudgetIsThatOfAllPages() {
        let cache = PageCache(budget: 1 << 20)
        for number in 0..<UInt64(10_000) {
            let name = Self.name(ofLeaf: number / 2, projection: number % 2)
            cache.insert(Self.page(name), for: name)
            #expect(cache.framesAtOnce(of: name) == Self.page(name))
        }
        let statistics = cache.statistics
        #expect(statistics.bytes <= cache.budget)
        // At worst every shard has just evicted down to half.
        #expect(statistics.bytes >= cache.budget / 2 - Limits.shardsOfPages * 2_048)
        #expect(statistics.pages == statistics.bytes / (1_024 + 128))
        #expect(statistics.pagesRead == 10_000)
    }

    /// What two stations see of the same rows, each with columns of its own.
    @Test func projectionsOfALeafAreNotInEachOthersWay() {
        let cache = PageCache(budget: Limits.bytesOfCachedPages)
        let names = (1...2).map { Self.name(ofLeaf: 5, projection: $0) }
        let byteCount = cache.budget / Limits.shardsOfPages * 3 / 4
        for name in names { cache.insert(Self.page(name, byteCount: byteCount), for: name) }
        for name in names { #expect(cache.frames(of: name) != nil) }
    }

    @Test func manyThreadsFindWhatAnyOfThemBrought() async {
        let cache = PageCache(budget: 64 << 20)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    var random = SeededNumbers(seed: 1, index: thread)
                    for _ in 0..<5_000 {
                        let leaf = UInt64(random.below(1_000))
                        let name = Self.name(ofLeaf: leaf, projection: 1)
                        if let frames = cache.framesAtOnce(of: name) ?? cache.frames(of: name) {
                            #expect(frames == Self.page(name))
                        } else {
                            cache.insert(Self.page(name), for: name)
                            #expect(cache.frames(of: name) == Self.page(name))
                        }
                    }
                }
            }
        }
        #expect(cache.statistics.pages == 1_000)
    }
}

@Suite struct PageCacheShardTests {
    private func name(_ number: UInt64) -> PageName { PageName(rawValue: number) }

    private func page(_ byteCount: Int) -> [ByteBuffer] {
        [ByteBuffer(repeating: 1, count: byteCount)]
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
