import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

/// The thread between the writer and the event loops.
@Suite(.timeLimit(.minutes(5))) struct PublisherTests {
    private enum Event: Equatable {
        case sent(UInt64)
        case published(UInt64)
    }

    private final class Events: Sendable {
        private let events = Mutex<[Event]>([])

        func add(_ event: Event) { events.withLock { $0.append(event) } }
        var all: [Event] { events.withLock { $0 } }
    }

    @Test func aWriterIsAtMostTwoCommitsAhead() async throws {
        let (events, folder) = (Events(), TemporaryFolder())
        let database = try Database(path: folder.cars(10))
        let builders = try ReaderPool(database: database, threadCount: 1)
        let latest = Mutex<KeptList?>(nil)
        let publisher = Publisher(listCount: 1) { _ in
            events.add(.published(latest.withLock { $0 }?.snapshot?.revision ?? 0))
        }
        let list = KeptList(
            list: 0, description: database.catalog.lists[0], builders: builders,
            numbers: LeafNumbers(), publisher: publisher)
        latest.withLock { $0 = list }
        await withCheckedContinuation { done in
            _ = list.arrange(.cars()) { _ in done.resume() }
        }
        let start = try #require(list.snapshot?.revision)
        let (gate, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        publisher.post { gate.wait() }
        let writer = Thread {
            for number in 1...4 as ClosedRange<UInt64> {
                publisher.committed(
                    [KeptList.Commit(list: list, changes: [])], revision: start + number)
                events.add(.sent(number))
                if number == 2 { gate.signal() }
            }
            isOver.signal()
        }
        writer.start()
        await onAThread { isOver.wait() }
        publisher.settle()
        let all = events.all.filter { $0 != .published(start) }
        // The third waits until the first is published, and the fourth until the second is.
        for number in 3...4 as ClosedRange<UInt64> {
            let sent = try #require(all.firstIndex(of: .sent(number)))
            let published = try #require(all.firstIndex(of: .published(start + number - 2)))
            #expect(published < sent)
        }
        let published = all.compactMap { event -> UInt64? in
            if case .published(let revision) = event { revision - start } else { nil }
        }
        #expect(published == [1, 2, 3, 4])
        await builders.stop()
        await publisher.stop()
    }

    @Test func anAnswerIsOfAllThatWasPostedBefore() async {
        let publisher = Publisher(listCount: 1) { _ in }
        let done = Atomic(0)
        let answer = await onAThread {
            for _ in 0..<100 { publisher.post { done.add(1, ordering: .relaxed) } }
            return publisher.ask { done.load(ordering: .relaxed) }
        }
        #expect(answer == 100)
        await publisher.stop()
        // The thread has ended: it runs at once.
        #expect(publisher.ask { 7 } == 7)
    }
}

/// Runs what waits on a thread of its own.
private func onAThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { done in
        Thread { done.resume(returning: body()) }.start()
    }
}
