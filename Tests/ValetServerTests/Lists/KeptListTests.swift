import Dispatch
import Synchronization
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

/// A list whose readings and builds run on threads.
@Suite(.timeLimit(.minutes(5))) struct KeptListTests {
    @Test func twoWaitersShareOneBuild() async throws {
        let shop = try Workshop()
        shop.hold()
        shop.arrange("a", .cars())
        shop.arrange("b", .cars())
        await shop.finish()
        #expect(shop.heard() == [.published(1), .built("a"), .built("b")])
        #expect(shop.keeper.arranged.uses[.cars()] == 2)
        #expect(shop.newest?.arrangements[.cars()]?.rowCount == 300)
        #expect(shop.list.rowCount == 300)
        await shop.stop()
    }

    @Test func anArrangementThatIsThereIsAnsweredAtOnce() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        _ = shop.heard()
        shop.hold()
        shop.arrange("b", .cars())
        #expect(shop.heard() == [.built("b")])
        shop.goOn()
        await shop.stop()
    }

    @Test func aBuildReportsLoadingAndSorting() async throws {
        let shop = try Workshop()
        // What waits for the reading-in, then for a build from columns that are there.
        for (grouping, thousandths) in [
            (ArrangementSpecification.cars(), 900...900), (.cars(by: 1), 1...999),
        ] {
            shop.hold()
            let pending = shop.arrange("a", grouping)
            let work = try #require(shop.list.work(for: grouping))
            #expect(pending.thousandthsDone == 0)
            await shop.finish()
            let done = work.progress.load(ordering: .relaxed)
            #expect(thousandths.contains(done), "reading in is nine tenths of the first")
            #expect(try #require(pending.thousandthsDone) >= done, "the build goes on from there")
            #expect(shop.list.work(for: grouping) == nil)
        }
        await shop.stop()
    }

    @Test func aBuildGoesOnWhileOneStillWaits() async throws {
        let shop = try Workshop()
        shop.hold()
        let first = shop.arrange("a", .cars())
        shop.arrange("b", .cars())
        shop.list.abandon(.cars(), first)
        shop.list.abandon(.cars(), first)
        await shop.finish()
        #expect(shop.heard() == [.published(1), .built("b")])
        #expect(shop.keeper.arranged.uses[.cars()] == 1)
        await shop.stop()
    }

    @Test func theLastToLeaveCancelsTheBuild() async throws {
        let shop = try Workshop()
        shop.hold()
        let waits = (0..<3).map { shop.arrange("\($0)", .cars()) }
        let work = try #require(shop.list.work(for: .cars()))
        for wait in waits {
            let isCancelled = work.isCancelled.load(ordering: .relaxed)
            #expect(!isCancelled)
            shop.list.abandon(.cars(), wait)
            _ = shop.heard()
        }
        let isCancelled = work.isCancelled.load(ordering: .relaxed)
        #expect(isCancelled)
        #expect(shop.keeper.waiting.isEmpty && shop.keeper.reading == nil)
        await shop.finish()
        #expect(shop.heard().isEmpty)
        #expect(shop.newest == nil, "nothing is read before a view asks")
        await shop.stop()
    }

    @Test func askingAgainAfterLeavingBeginsAnew() async throws {
        let shop = try Workshop()
        shop.hold()
        let first = shop.arrange("a", .cars())
        shop.list.abandon(.cars(), first)
        shop.arrange("b", .cars())
        await shop.finish()
        #expect(shop.heard() == [.published(1), .built("b")])
        await shop.stop()
    }

    @Test func askingAndLeavingInARowLeavesNothingBehind() async throws {
        let shop = try Workshop()
        shop.hold()
        for number in 0..<10_000 {
            let search = ArrangementSpecification.cars(search: "Model \(number)")
            shop.list.abandon(search, shop.arrange("x", search))
        }
        #expect(shop.keeper.waiting.isEmpty && shop.keeper.builds.isEmpty)
        await shop.finish()
        #expect(shop.heard().isEmpty)
        await shop.stop()
    }

    @Test func aResultWithoutWaitersIsKeptAsIdle() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        shop.list.release(.cars())
        #expect(shop.keeper.arranged.idle == [.cars()])
        #expect(shop.newest?.arrangements[.cars()] != nil)
        shop.hold()
        shop.arrange("b", .cars())
        #expect(shop.heard().last == .built("b"), "it was kept")
        shop.goOn()
        #expect(shop.keeper.arranged.idle.isEmpty)
        await shop.stop()
    }

    @Test func idleArrangementsBeyondTheLimitGoOldestFirst() async throws {
        let shop = try Workshop()
        let searches = (100..<130).map { ArrangementSpecification.cars(search: "Model \($0)") }
        for search in searches { shop.arrange("", search) }
        await shop.settle()
        for search in searches { shop.list.release(search) }
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
        await shop.build("", broad)
        let result = try #require(shop.newest?.arrangements[broad])
        #expect(result.heldBase == .cars() && result.rowCount == 300)
        let searches = (100..<130).map { ArrangementSpecification.cars(search: "Model \($0)") }
        for search in searches { shop.arrange("", search) }
        await shop.settle()
        for search in searches { shop.list.release(search) }
        #expect(shop.newest?.arrangements[.cars()] != nil)
        shop.list.release(broad)
        let others = (130..<160).map { ArrangementSpecification.cars(search: "Model \($0)") }
        for search in others { shop.arrange("", search) }
        await shop.settle()
        for search in others { shop.list.release(search) }
        #expect(shop.newest?.arrangements[broad] == nil)
        #expect(shop.newest?.arrangements[.cars()] == nil, "nothing holds it any more")
        await shop.stop()
    }

    @Test func aShownArrangementIsNeverDropped() async throws {
        let shop = try Workshop()
        await shop.build("shown", .cars(search: "shown"))
        for number in 0..<40 {
            let search = ArrangementSpecification.cars(search: "Model \(number)")
            await shop.build("", search)
            shop.list.release(search)
        }
        let snapshot = try #require(shop.newest)
        #expect(snapshot.arrangements[.cars(search: "shown")] != nil)
        #expect(snapshot.arrangements[.cars()] != nil, "what searches start from stays, too")
        #expect(snapshot.arrangements.count <= Limits.idleArrangementsPerList + 1)
        #expect(Set(shop.keeper.arranged.idle).count == shop.keeper.arranged.idle.count)
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
        await shop.build("first", rows(by: 3, then: 3))
        #expect(shop.newest?.cache.columns[20] == nil, "too many columns to read them all")
        await shop.build("later", rows(by: 3, then: 20))
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
        let publisher = Publisher(listCount: database.catalog.lists.count) { _ in }
        let kept = KeptList.all(of: database, builders, publisher)[list]
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: .wholeValue, rowOrder: [])
        for _ in 0..<2 {
            let code: ErrorCode? = await withCheckedContinuation { continuation in
                _ = kept.arrange(specification) { result in
                    switch result {
                    case .success: continuation.resume(returning: nil)
                    case .failure(let error): continuation.resume(returning: error.code)
                    }
                }
            }
            #expect(code == .listUnavailable)
        }
        await builders.stop()
        await publisher.stop()
    }

    /// The work before it may have ended and left by the time that it begins.
    @Test func workThatIsBroughtUpToDateHasItsOwnPlace() throws {
        var state = KeptList.State(
            keeper: ListKeeper(description: FakeLists.cars, numbers: LeafNumbers()))
        state.prepare(.catchUp(number: 3))
        let first = try #require(state.works[3])
        first.progress.store(7, ordering: .relaxed)
        state.prepare(.catchUp(number: 3))
        let second = try #require(state.works[3])
        #expect(first !== second && second.progress.load(ordering: .relaxed) == 7)
    }

    @Test func afterTheThreadsStoppedEveryWaitFails() async throws {
        let shop = try Workshop()
        shop.hold()
        shop.arrange("a", .cars())
        shop.arrange("b", .cars(by: 2))
        async let stopped: Void = shop.stop()
        shop.goOn()
        await stopped
        let heard = shop.heard()
        #expect(heard.contains(.failed("a", .shuttingDown)) || heard.contains(.built("a")))
        #expect(heard.contains(.failed("b", .shuttingDown)) || heard.contains(.built("b")))
        shop.arrange("late", .cars(by: 1))
        #expect(shop.heard() == [.failed("late", .shuttingDown)])
    }

    @Test func aCommitIsPublishedAndItsRowsAreRemembered() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        _ = shop.heard()
        let before = try #require(shop.newest)
        let next = before.revision + 1
        shop.list.willCommit([7], from: before.revision, to: next)
        #expect(shop.newest?.revision == before.revision, "not before it is committed")
        shop.commit([.delete(rowID: 7)], revision: next)
        #expect(shop.heard() == [.published(1)])
        #expect(shop.newest?.revision == next)
        #expect(shop.newest?.arrangements[.cars()]?.rowCount == 299)
        #expect(shop.list.isUntouched([8], after: before.revision, to: next))
        #expect(!shop.list.isUntouched([7, 8], after: before.revision, to: next))
        // A commit to other lists.
        shop.commit([], revision: next + 1)
        #expect(shop.newest?.revision == next + 1)
        shop.list.rowsUnknown(next + 2)
        _ = shop.heard()
        #expect(!shop.list.isUntouched([8], after: next, to: next + 2))
        await shop.stop()
    }
}
