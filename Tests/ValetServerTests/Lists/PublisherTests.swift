import Dispatch
import Foundation
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

import struct Synchronization.Atomic

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

    @Test func workThatFindsThePublisherIdleRunsHereAndElseInItsTurn() async throws {
        let publisher = Publisher(listCount: 0) { _ in }
        let (events, here) = (Events(), pthread_self())
        let runHere = Mutex<[UInt64]>([])
        func post(_ number: UInt64) {
            publisher.postHere {
                events.add(.sent(number))
                guard pthread_equal(pthread_self(), here) != 0 else { return }
                runHere.withLock { $0.append(number) }
            }
        }
        post(1)
        #expect(events.all == [.sent(1)])
        let (gate, isHeld) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        publisher.post {
            isHeld.signal()
            gate.wait()
        }
        isHeld.wait()
        post(2)
        publisher.post { events.add(.published(3)) }
        post(4)
        #expect(events.all == [.sent(1)])
        gate.signal()
        publisher.settle()
        #expect(events.all == [.sent(1), .sent(2), .published(3), .sent(4)])
        // What is posted meanwhile comes after it, on the thread.
        publisher.postHere {
            publisher.post { events.add(.published(6)) }
            events.add(.sent(5))
        }
        publisher.settle()
        // It may have run after the first was asked.
        publisher.settle()
        #expect(events.all.suffix(2) == [.sent(5), .published(6)])
        #expect(runHere.withLock { $0 } == [1])
        await publisher.stop()
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

@Suite struct ListsBehindTests {
    private var behind = ListsBehind(listCount: 3)

    /// The lists that are told; those of `slow` stay behind.
    private mutating func told(_ revision: UInt64, slow: Set<Int> = []) -> [Int] {
        let told = behind.looked(at: revision)
        behind.stay(told.filter(slow.contains))
        return told
    }

    @Test mutating func aFileThatRestsIsToldToNobody() {
        #expect(told(0) == [])
        #expect(told(1) == [0, 1, 2])
        #expect(told(1) == [])
    }

    @Test mutating func aListIsToldUntilItHasTheRevision() {
        #expect(told(1, slow: [0, 2]) == [0, 1, 2])
        #expect(told(1, slow: [2]) == [0, 2])
        #expect(told(1) == [2])
        #expect(told(1) == [])
        #expect(told(2, slow: [1]) == [0, 1, 2])
        #expect(told(3) == [0, 1, 2])
    }
}
