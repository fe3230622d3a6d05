import Dispatch
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
    }

    /// However many windows stand, none is looked at for what somebody else sorts or searches.
    @Test func windowsAreLookedAtForOtherRowsAlone() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        #expect(shop.alterations() == 1, "the list is read in")
        await shop.build("b", .cars(by: 1))
        shop.list.release(.cars(by: 1))
        #expect(shop.heard().contains(.published(2)) && shop.alterations() == 0)
        shop.commit([.delete(rowID: 1)], revision: 1)
        #expect(shop.alterations() == 1)
    }

    @Test func anArrangementThatIsThereIsAnsweredAtOnce() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        _ = shop.heard()
        shop.hold()
        shop.arrange("b", .cars())
        #expect(shop.heard() == [.built("b")])
        shop.goOn()
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
    }

    @Test func theLastToLeaveCancelsTheBuild() async throws {
        let shop = try Workshop()
        shop.hold()
        let waits = (0..<3).map { shop.arrange("\($0)", .cars()) }
        let work = try #require(shop.list.work(for: .cars()))
        for wait in waits {
            #expect(!work.isCancelled.isSet)
            shop.list.abandon(.cars(), wait)
            _ = shop.heard()
        }
        #expect(work.isCancelled.isSet)
        #expect(shop.keeper.waiting.isEmpty && shop.keeper.reading == nil)
        await shop.finish()
        #expect(shop.heard().isEmpty)
        #expect(shop.newest == nil, "nothing is read before a view asks")
    }

    @Test func askingAgainAfterLeavingBeginsAnew() async throws {
        let shop = try Workshop()
        shop.hold()
        let first = shop.arrange("a", .cars())
        shop.list.abandon(.cars(), first)
        shop.arrange("b", .cars())
        await shop.finish()
        #expect(shop.heard() == [.published(1), .built("b")])
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
    }

    @Test func idleArrangementsBeyondTheLimitGoOldestFirst() async throws {
        let shop = try Workshop()
        let searches = (100..<130).map { ArrangementSpecification.cars(search: "Model \($0)") }
        await shop.build(searches)
        for search in searches { shop.list.release(search) }
        let kept = try #require(shop.newest).arrangements.keys
        let results = Set(searches.suffix(Limits.idleArrangementsPerList))
        #expect(Set(kept) == results.union([.cars()]), "and the order that they start from")
    }

    /// Sorting takes longer than searching.
    @Test func whoeverSearchesWithoutEndTakesNoOrderFromOthers() async throws {
        let shop = try Workshop()
        let orders = [ArrangementSpecification.cars(by: 1), .cars(by: 2)]
        await shop.show(orders)
        await shop.show((100..<140).map { .cars(search: "Model \($0)") })
        let kept = try #require(shop.newest).arrangements.keys
        #expect(kept.filter { $0 == $0.base }.count == 3)
        #expect(Set(kept).isSuperset(of: orders))
    }

    @Test func payersKeepAsManyIdleOrdersAsOneAnother() async throws {
        let shop = try Workshop()
        func owner(_ number: Int, _ name: String) -> WorkOwner {
            WorkOwner(number: UInt64(number), principal: name)
        }
        let theirs = [ArrangementSpecification.cars(by: 1), .cars(by: 2)]
        await shop.build(theirs, for: owner(1, "ana"))
        let others = (0..<20).map { number in
            let keys = (0..<5).map {
                SortKey(column: 1 + $0 % 2, isDescending: number & (1 << $0) != 0)
            }
            return ArrangementSpecification.cars(sortedBy: keys)
        }
        for (number, order) in others.enumerated() {
            await shop.build([order], for: owner(2 + number, "flood"))
        }
        // The oldest of all.
        for order in theirs + others { shop.list.release(order) }
        let kept = Set(try #require(shop.newest).arrangements.keys)
        let most = Limits.idleArrangementsPerList
        #expect(kept == Set(theirs + others.suffix(most - theirs.count)))
        await shop.build([.cars()], for: owner(50, "ana"))
        shop.list.release(.cars())
        #expect(try #require(shop.newest).arrangements.count == most)
        #expect(Set(theirs + [.cars()]).isSubset(of: try #require(shop.newest).arrangements.keys))
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
        await shop.build(searches)
        for search in searches { shop.list.release(search) }
        #expect(shop.newest?.arrangements[.cars()] != nil)
        shop.list.release(broad)
        let others = (130..<160).map { ArrangementSpecification.cars(search: "Model \($0)") }
        await shop.build(others)
        for search in others { shop.list.release(search) }
        #expect(shop.newest?.arrangements[broad] == nil)
        shop.list.giveUp(.idleArrangements)
        #expect(shop.newest?.arrangements[.cars()] == nil, "nothing holds it any more")
    }

    @Test func aShownArrangementIsNeverDropped() async throws {
        let shop = try Workshop()
        await shop.build("shown", .cars(search: "shown"))
        await shop.show((0..<40).map { .cars(search: "Model \($0)") })
        let snapshot = try #require(shop.newest)
        #expect(snapshot.arrangements[.cars(search: "shown")] != nil)
        #expect(snapshot.arrangements[.cars()] != nil, "what searches start from stays, too")
        #expect(snapshot.arrangements.count == Limits.idleArrangementsPerList + 2)
        #expect(Set(shop.keeper.arranged.idle).count == shop.keeper.arranged.idle.count)
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
                sectionColumn: column, expression: .wholeValue, rowOrder: [SortKey(column: second)])
        }
        await shop.build("first", rows(by: 3, then: 3))
        #expect(shop.newest?.cache.columns[20] == nil, "too many columns to read them all")
        await shop.build("later", rows(by: 3, then: 20))
        let snapshot = try #require(shop.newest)
        #expect(snapshot.cache.columns[20] != nil)
        let shown = try #require(snapshot.rows(of: rows(by: 3, then: 20)))
        #expect((0..<3).map { shown.rowID(at: $0) } == [3, 2, 1])
        #expect(snapshot.arrangements[rows(by: 3, then: 3)] != nil)
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
        let shop = try Workshop(folder, path: path)
        let kept = try #require(shop.lists.first { $0.loader.description.name == "broken" })
        let specification = ArrangementSpecification(
            sectionColumn: 0, expression: .wholeValue, rowOrder: [])
        for _ in 0..<2 {
            let result = await withCheckedContinuation { continuation in
                _ = kept.arrange(specification) { continuation.resume(returning: $0) }
            }
            #expect(failure { try result.get() }?.code == .listUnavailable)
        }
        await shop.stop()
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
        #expect(
            heard.contains(.failed("a", .shuttingDown)) || heard.contains(.built("a")), "\(heard)")
        #expect(
            heard.contains(.failed("b", .shuttingDown)) || heard.contains(.built("b")), "\(heard)")
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
    }
}

/// Pins of a list, without views.
@Suite struct PinTests {
    /// The view's pin may be made on a thread while the file is being closed.
    @Test func aPinThatComesAfterTheFileWasClosedIsRefused() async throws {
        let shop = try Workshop()
        let reader = try Database(path: shop.folder.file("cars.db")).makeReader()
        func pin() throws -> Pin { try shop.list.pin(.cars(), reader, isCancelled: { false }) }
        let pins = Pins()
        let before = try pin()
        try pins.add(before)
        pins.close()
        #expect(failure { try before.read { _ in } }?.code == .expired)
        #expect(failure { try pins.add(try pin()) }?.code == .shuttingDown)
    }

    /// The reader sees commits that are not published yet. The list is not read for them.
    @Test func aSnapshotThatIsAboutToBePublishedIsPinnedAsItIs() async throws {
        let memory = MemoryBudget()
        let shop = try Workshop(memory: memory)
        await shop.build("shown", .cars())
        let path = shop.folder.file("cars.db")
        let reader = try Database(path: path).makeReader()
        try TemporaryFolder.change(path, "UPDATE cars SET model = 'new' WHERE rowid = 1")
        let gate = DispatchSemaphore(value: 0)
        shop.publisher.post { _ = gate.wait(timeout: .now() + .milliseconds(300)) }
        shop.commit([.update(rowID: 1, cells: [1: .text("new")])], revision: 1)
        let pin = try shop.list.pin(.cars(), reader, isCancelled: { false })
        #expect(pin.snapshot.revision == 1)
        #expect(memory.bytesTaken == shop.keeper.byteCount, "nothing was read for it")
        pin.end()
    }
}
