import Testing
import ValetArrangement

@testable import ValetServer

/// What a list may have arranged, by bytes: with less room than the limits give, so that a test
/// need not fill gigabytes.
@Suite(.timeLimit(.minutes(5))) struct ArrangementRoomTests {
    /// How many bytes the arrangements take that the list has.
    private func bytes(_ shop: Workshop) -> Int {
        shop.newest?.arrangements.values.reduce(0) { $0 + $1.byteCount } ?? 0
    }

    /// How many bytes arrangements take, in a list with room for all.
    private func bytes(of specifications: [ArrangementSpecification]) async throws -> Int {
        let shop = try Workshop()
        await shop.build(specifications)
        return bytes(shop)
    }

    @Test func idleArrangementsBeyondTheirBytesGoOldestFirst() async throws {
        let one = try await bytes(of: [.cars()])
        let shop = try Workshop(room: ArrangedRoom(idleByteLimit: one * 3 / 2))
        let groupings = [ArrangementSpecification.cars(), .cars(by: 1), .cars(by: 2)]
        await shop.build(groupings)
        for grouping in groupings { shop.list.release(grouping) }
        // The newest stays anyhow, and there is room for one more at most.
        let kept = shop.keeper.arranged.idle
        #expect(kept == Array(groupings.suffix(kept.count)) && kept.count < groupings.count)
        #expect(kept.last == .cars(by: 2))
        #expect(Set(try #require(shop.newest).arrangements.keys) == Set(kept))
    }

    @Test func theNewestIdleArrangementStaysHoweverLargeItIs() async throws {
        let shop = try Workshop(room: ArrangedRoom(idleByteLimit: 0))
        for grouping in [ArrangementSpecification.cars(), .cars(by: 2)] {
            await shop.build("", grouping)
            shop.list.release(grouping)
        }
        #expect(shop.keeper.arranged.idle == [.cars(by: 2)])
    }

    @Test func searchResultsHaveAQuarterOfTheBytes() async throws {
        let groupings = [ArrangementSpecification.cars(), .cars(by: 2)]
        let limit = try await bytes(of: groupings) * 4 / 3 + 100
        let shop = try Workshop(room: ArrangedRoom(idleByteLimit: limit))
        await shop.show(groupings)
        await shop.show((0..<10).map { .cars(search: "Model \($0)") })
        let kept = try #require(shop.newest).arrangements
        #expect(Set(groupings).isSubset(of: kept.keys))
        let results = kept.filter { $0.key != $0.key.base }
        #expect(!results.isEmpty && results.count < 10)
        #expect(results.values.reduce(0) { $0 + $1.byteCount } <= limit / 4)
    }

    /// Results that match much reference an order, whose memory stays as long as theirs.
    @Test func resultsAreCountedWithTheOrdersThatTheyReference() async throws {
        let broad = (0...2).map { ArrangementSpecification.cars(by: $0, search: "e") }
        let limit = try await bytes(of: broad) * 3 / 2
        let shop = try Workshop(room: ArrangedRoom(idleByteLimit: limit))
        for result in broad {
            await shop.build("", result)
            #expect(shop.newest?.arrangements[result]?.heldBase == result.base)
            shop.list.release(result)
        }
        let kept = try #require(shop.newest).arrangements.keys
        #expect(kept.filter { $0 != $0.base } == [broad[2]], "the newest stays anyhow")
        shop.list.giveUp(.idleArrangements)
        #expect(bytes(shop) == 0)
    }

    /// What a list takes in all, with all these shown.
    private func memory(of specifications: [ArrangementSpecification]) async throws -> Int {
        let memory = MemoryBudget()
        let shop = try Workshop(memory: memory)
        await shop.build(specifications)
        let bytes = shop.keeper.byteCount
        #expect(memory.bytesTaken == bytes)
        return bytes
    }

    @Test func aBuildBeyondTheMemoryIsRefusedAlone() async throws {
        // The first reading has all columns, so the second takes an order alone.
        let one = try await memory(of: [.cars()])
        let memory = MemoryBudget(limit: one + 100)
        let shop = try Workshop(memory: memory)
        await shop.build("shown", .cars())
        await shop.build("beyond", .cars(by: 2))
        #expect(
            shop.heard() == [.published(1), .built("shown"), .failed("beyond", .limitExceeded)])
        #expect(shop.newest?.arrangements[.cars()] != nil)
        #expect(memory.bytesTaken == shop.keeper.byteCount && !memory.isExceeded)
    }

    @Test func idleArrangementsMakeRoom() async throws {
        let both = try await memory(of: [.cars(), .cars(by: 2)])
        let memory = MemoryBudget(limit: both + 100)
        let shop = try Workshop(memory: memory)
        await shop.build([.cars(), .cars(by: 2)])
        shop.list.release(.cars(by: 2))
        _ = shop.heard()
        await shop.build("third", .cars(by: 1))
        #expect(shop.heard().last == .built("third"))
        #expect(shop.newest?.arrangements[.cars(by: 2)] == nil)
        #expect(shop.newest?.arrangements[.cars()] != nil, "it is shown")
        #expect(shop.keeper.arranged.byteCount == bytes(shop))
        #expect(memory.bytesTaken == shop.keeper.byteCount && !memory.isExceeded)
    }

    @Test func aBuildKeepsWhatItWillHold() async throws {
        let shop = try Workshop(room: ArrangedRoom(idleByteLimit: 0))
        await shop.build([.cars(), .cars(by: 2)])
        shop.hold()
        shop.arrange("search", .cars(search: "Model 1"))
        shop.list.release(.cars())
        shop.list.release(.cars(by: 2))
        #expect(shop.newest?.arrangements[.cars()] != nil)
        await shop.finish()
        #expect(shop.heard().last == .built("search"))
        #expect(shop.newest?.arrangements[.cars()] != nil)
        shop.list.release(.cars(search: "Model 1"))
        #expect(shop.keeper.arranged.byteCount == bytes(shop))
    }
}
