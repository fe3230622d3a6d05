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
