import Dispatch
import Synchronization
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

@Suite(.timeLimit(.minutes(1))) struct ListKeeperTests {
    @Test func twoWaitersShareOneBuild() async throws {
        let shop = try Workshop()
        shop.hold()
        #expect(shop.arrange("a", .cars()) != nil)
        #expect(shop.arrange("b", .cars()) != nil)
        shop.goOn()
        await shop.settle()
        #expect(shop.heard() == [.published(1), .built("a"), .built("b")])
        #expect(shop.keeper.state.withLock { $0.uses[.cars()] } == 2)
        #expect(shop.newest?.arrangements[.cars()]?.rowCount == 300)
        #expect(shop.keeper.rowCount == 300)
        await shop.stop()
    }

    @Test func whatIsThereIsAnsweredAtOnce() async throws {
        let shop = try Workshop()
        _ = shop.arrange("a", .cars())
        await shop.settle()
        _ = shop.heard()
        #expect(shop.arrange("b", .cars()) == nil)
        #expect(shop.heard() == [.built("b")])
        await shop.stop()
    }

    @Test func aBuildTellsHowMuchIsReadAndSorted() async throws {
        let shop = try Workshop()
        for (grouping, least) in [(ArrangementSpecification.cars(), 900), (.cars(by: 1), 0)] {
            shop.hold()
            _ = shop.arrange("a", grouping)
            let build = try #require(shop.keeper.state.withLock { $0.waiting[grouping]?.build })
            #expect(shop.keeper.thousandthsDone(of: grouping) == 0)
            shop.goOn()
            await shop.settle()
            let done = build.progress.load(ordering: .relaxed)
            #expect(done > least && done < 1_000, "reading in is nine tenths of the first")
            #expect(shop.keeper.thousandthsDone(of: grouping) == nil)
        }
        await shop.stop()
    }

    @Test func aBuildGoesOnWhileOneStillWaits() async throws {
        let shop = try Workshop()
        shop.hold()
        let first = try #require(shop.arrange("a", .cars()))
        _ = shop.arrange("b", .cars())
        shop.keeper.abandon(.cars(), ticket: first)
        shop.keeper.abandon(.cars(), ticket: first)
        shop.goOn()
        await shop.settle()
        #expect(shop.heard() == [.published(1), .built("b")])
        #expect(shop.keeper.state.withLock { $0.uses[.cars()] } == 1)
        await shop.stop()
    }

    @Test func theLastToLeaveCancelsTheBuild() async throws {
        let shop = try Workshop()
        shop.hold()
        let tickets = (0..<3).compactMap { shop.arrange("\($0)", .cars()) }
        let build = shop.keeper.state.withLock { $0.waiting[.cars()]?.build }
        for ticket in tickets {
            #expect(build?.isCancelled.load(ordering: .relaxed) == false)
            shop.keeper.abandon(.cars(), ticket: ticket)
        }
        #expect(build?.isCancelled.load(ordering: .relaxed) == true)
        #expect(shop.keeper.state.withLock { $0.queue.isEmpty && $0.waiting.isEmpty })
        shop.goOn()
        await shop.settle()
        #expect(shop.heard().isEmpty)
        #expect(shop.newest == nil, "nothing was read for nobody")
        await shop.stop()
    }

    @Test func askingAgainAfterLeavingBeginsAnew() async throws {
        let shop = try Workshop()
        shop.hold()
        let first = try #require(shop.arrange("a", .cars()))
        shop.keeper.abandon(.cars(), ticket: first)
        #expect(shop.arrange("b", .cars()) != nil)
        shop.goOn()
        await shop.settle()
        #expect(shop.heard() == [.published(1), .built("b")])
        await shop.stop()
    }

    @Test func askingAndLeavingInARowLeavesNothingBehind() async throws {
        let shop = try Workshop()
        shop.hold()
        for number in 0..<10_000 {
            let search = ArrangementSpecification.cars(search: "Model \(number)")
            let ticket = try #require(shop.arrange("x", search))
            shop.keeper.abandon(search, ticket: ticket)
        }
        #expect(shop.keeper.state.withLock { $0.queue.isEmpty && $0.workers == 1 })
        shop.goOn()
        await shop.settle()
        #expect(shop.heard().isEmpty)
        await shop.stop()
    }

    @Test func aResultThatNobodyWaitsForIsKeptAsIdle() async throws {
        let shop = try Workshop()
        _ = shop.arrange("a", .cars())
        await shop.settle()
        shop.keeper.release(.cars())
        #expect(shop.keeper.state.withLock { $0.idle } == [.cars()])
        #expect(shop.newest?.arrangements[.cars()] != nil)
        #expect(shop.arrange("b", .cars()) == nil, "it was kept for whoever comes back")
        #expect(shop.keeper.state.withLock { $0.idle }.isEmpty)
        await shop.stop()
    }

    @Test func idleArrangementsBeyondTheLimitGoOldestFirst() async throws {
        let shop = try Workshop()
        let searches = (100..<130).map { ArrangementSpecification.cars(search: "Model \($0)") }
        for search in searches { _ = shop.arrange("", search) }
        await shop.settle()
        for search in searches { shop.keeper.release(search) }
        let kept = try #require(shop.newest).arrangements.keys
        #expect(kept.count == Limits.idleArrangementsPerList)
        #expect(Set(kept) == Set(searches.suffix(Limits.idleArrangementsPerList)))
        await shop.stop()
    }

    /// Its memory would be taken as long as before, and be counted no more.
    @Test func anOrderThatAResultHoldsIsNotDropped() async throws {
        let shop = try Workshop()
        // In every row, so that bits take less than a tree.
        let broad = ArrangementSpecification.cars(search: "e")
        _ = shop.arrange("", broad)
        await shop.settle()
        let result = try #require(shop.newest?.arrangements[broad])
        #expect(result.heldBase == .cars() && result.rowCount == 300)
        let searches = (100..<130).map { ArrangementSpecification.cars(search: "Model \($0)") }
        for search in searches { _ = shop.arrange("", search) }
        await shop.settle()
        for search in searches { shop.keeper.release(search) }
        #expect(shop.newest?.arrangements[.cars()] != nil)
        shop.keeper.release(broad)
        let others = (130..<160).map { ArrangementSpecification.cars(search: "Model \($0)") }
        for search in others { _ = shop.arrange("", search) }
        await shop.settle()
        for search in others { shop.keeper.release(search) }
        #expect(shop.newest?.arrangements[broad] == nil)
        #expect(shop.newest?.arrangements[.cars()] == nil, "nothing holds it any more")
        await shop.stop()
    }

    @Test func whatIsShownIsNeverDropped() async throws {
        let shop = try Workshop()
        _ = shop.arrange("shown", .cars(search: "shown"))
        await shop.settle()
        for number in 0..<40 {
            let search = ArrangementSpecification.cars(search: "Model \(number)")
            _ = shop.arrange("", search)
            await shop.settle()
            shop.keeper.release(search)
        }
        let snapshot = try #require(shop.newest)
        #expect(snapshot.arrangements[.cars(search: "shown")] != nil)
        #expect(snapshot.arrangements[.cars()] != nil, "what searches start from stays, too")
        #expect(snapshot.arrangements.count <= Limits.idleArrangementsPerList + 1)
        #expect(shop.keeper.state.withLock { Set($0.idle).count == $0.idle.count })
        await shop.stop()
    }

    @Test func columnsAreReadWhenTheyAreFirstNeeded() async throws {
        let folder = TemporaryFolder()
        let columns = (0..<30).map { "c\($0) INTEGER" }.joined(separator: ", ")
        let path = try folder.database(
            """
            CREATE TABLE wide (\(columns));
            INSERT INTO wide (c3, c20) VALUES (2, 7), (1, 9), (1, 8);
            """)
        let shop = try Workshop(folder, path: path)
        func rows(by column: Int, then second: Int) -> ArrangementSpecification {
            ArrangementSpecification(
                sectionColumn: column, expression: .wholeValue,
                rowOrder: [SortKey(column: second)])
        }
        _ = shop.arrange("first", rows(by: 3, then: 3))
        await shop.settle()
        #expect(shop.newest?.cache.columns[20] == nil, "too many columns to read them all")
        _ = shop.arrange("later", rows(by: 3, then: 20))
        await shop.settle()
        let snapshot = try #require(shop.newest)
        #expect(snapshot.cache.columns[20] != nil)
        let arrangement = try #require(snapshot.arrangements[rows(by: 3, then: 20)])
        let shown = ArrangedRows(
            cache: snapshot.cache, arrangement: arrangement,
            titles: SectionTitles(template: nil, indexTitles: .none))
        #expect((0..<3).map { shown.rowID(at: $0) } == [3, 2, 1])
        #expect(snapshot.arrangements[rows(by: 3, then: 3)] != nil)
        await shop.stop()
    }

    @Test func aListThatCantBeReadFailsForAllAndCanBeAskedAgain() async throws {
        let folder = TemporaryFolder()
        // An overflow that SQLite meets only when it reads the row.
        let path = try folder.database(
            """
            CREATE TABLE "z" (a INTEGER);
            INSERT INTO "z" VALUES (-9223372036854775808);
            CREATE VIEW "broken" AS SELECT abs(a) AS b FROM "z";
            """)
        let database = try Database(path: path)
        let list = try #require(database.catalog.lists.firstIndex { $0.name == "broken" })
        let builders = try ReaderPool(database: database, threadCount: 1)
        let keeper = ListKeeper(
            list: list, description: database.catalog.lists[list], builders: builders,
            numbers: LeafNumbers()
        ) { _, _ in }
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: .wholeValue, rowOrder: [])
        for _ in 0..<2 {
            let code: ErrorCode? = await withCheckedContinuation { continuation in
                _ = keeper.arrange(specification) { result in
                    switch result {
                    case .success: continuation.resume(returning: nil)
                    case .failure(let error): continuation.resume(returning: error.code)
                    }
                }
            }
            #expect(code == .listUnavailable)
        }
        await builders.stop()
    }

    @Test func whoHasItsColumnsDoesNotWaitForOthersToReadTheirs() async throws {
        let shop = try Workshop(threads: 2)
        _ = shop.arrange("first", .cars())
        await shop.settle()
        let (keeper, end) = (shop.keeper, DispatchSemaphore(value: 0))
        await withCheckedContinuation { (reading: CheckedContinuation<Void, Never>) in
            shop.builders.submit { _ in
                keeper.loading.withLock { _ in
                    reading.resume()
                    end.wait()
                }
            }
        }
        await withCheckedContinuation { (built: CheckedContinuation<Void, Never>) in
            _ = keeper.arrange(.cars(search: "1")) { _ in built.resume() }
        }
        end.signal()
        await shop.stop()
    }

    @Test func everyWorkerThatCountsIsStarted() async throws {
        let shop = try Workshop(threads: 3)
        _ = shop.arrange("first", .cars())
        await shop.settle()
        let (keeper, texts) = (shop.keeper, ["1", "2", "3"])
        await withCheckedContinuation { (built: CheckedContinuation<Void, Never>) in
            let left = Mutex(texts.count)
            let answer: ListKeeper.Answer = { _ in
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { built.resume() }
            }
            // Two have queued while nobody could start.
            keeper.state.withLock { state in
                for text in texts.dropLast() { _ = state.wait(for: .cars(search: text), answer) }
            }
            _ = keeper.arrange(.cars(search: texts.last!), answer)
        }
        await shop.stop()
        #expect(keeper.state.withLock { $0.workers } == 0)
    }

    @Test func afterTheThreadsStoppedEveryWaitFails() async throws {
        let shop = try Workshop()
        shop.hold()
        _ = shop.arrange("a", .cars())
        _ = shop.arrange("b", .cars(by: 2))
        async let stopped: Void = shop.stop()
        shop.goOn()
        await stopped
        let heard = shop.heard()
        #expect(heard.contains(.failed("a", .shuttingDown)) || heard.contains(.built("a")))
        #expect(heard.contains(.failed("b", .shuttingDown)) || heard.contains(.built("b")))
        _ = shop.arrange("late", .cars(by: 1))
        #expect(shop.heard() == [.failed("late", .shuttingDown)])
    }

    @Test func aListHasSoManyProjections() async throws {
        let shop = try Workshop(rows: 1)
        var numbers: Set<UInt16> = []
        for number in 0..<Limits.projectionsPerList {
            let columns = (0..<11).filter { number >> $0 & 1 == 1 }
            numbers.insert(try #require(shop.keeper.projectionNumber(of: columns + [9_999])))
        }
        #expect(numbers.count == Limits.projectionsPerList)
        #expect(!numbers.contains(Projection.wholeRowNumber))
        #expect(shop.keeper.projectionNumber(of: [1, 2, 3]) == nil)
        #expect(shop.keeper.projectionNumber(of: [9_999]) != nil, "known ones stay")
        await shop.stop()
    }
}
