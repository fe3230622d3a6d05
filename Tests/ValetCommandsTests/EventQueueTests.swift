import Testing
import ValetClient
import ValetModel

import struct Synchronization.Atomic

@testable import ValetCommands
@testable import ValetTerminal

/// Nobody takes events while the terminal does not read.
@Suite struct EventQueueTests {
    private let queue = EventQueue {}

    private func window(_ revision: UInt64) -> Reply {
        .window(
            Window(
                generation: 1, revision: revision, totalRows: 0, totalSections: 0, anchor: 0,
                anchorRow: 0, first: 0, rows: [], runs: []))
    }

    private func add(_ token: UInt64, _ reply: Reply) {
        queue.add(.answer(CallToken(number: token), .success(reply)))
    }

    @Test func onlyTheNewestStateIsKept() {
        add(1, .cells([]))
        for round in 0..<1_000 {
            add(2, window(UInt64(round)))
            add(3, window(UInt64(round)))
            add(4, .building(thousandths: round))
            queue.add(.roundTrip(milliseconds: round))
            queue.add(.othersChanged([]))
        }
        add(5, .cells([]))
        let events = queue.takeAll()
        #expect(events.count == 7, "and all answers")
        let revisions = events.compactMap { event -> UInt64? in
            guard case .app(.answer(_, .success(.window(let window)))) = event else { return nil }
            return window.revision
        }
        #expect(revisions == [999, 999])
        let ends = [events.first, events.last].compactMap { event -> UInt64? in
            guard case .app(.answer(let token, .success(.cells)))? = event else { return nil }
            return token.number
        }
        #expect(ends == [1, 5], "answers keep their order")
        #expect(queue.takeAll().isEmpty)
    }

    @Test func attemptsToConnectDoNotPileUp() {
        let error = ValetError(.timedOut, "nobody answers")
        queue.add(.news(.disconnected(error)))
        for _ in 0..<1_000 {
            queue.add(.news(.connecting))
            queue.add(.news(.failed(error)))
        }
        let words = queue.takeAll().map { event in
            switch event {
            case .news(.connecting): "connecting"
            case .news(.failed): "failed"
            default: "another"
            }
        }
        #expect(words == ["connecting", "failed"])
    }

    @Test func nothingMoreIsReadWhileTooManyAnswersWait() {
        let paused = Mutex<[Bool]>([])
        queue.onFull { isFull in paused.withLock { $0.append(isFull) } }
        for number in 1..<UInt64(EventQueue.most) { add(number, .cells([])) }
        #expect(paused.withLock(\.self) == [])
        add(0, .cells([]))
        add(0, .cells([]))
        #expect(paused.withLock(\.self) == [true])
        #expect(queue.takeAll().count == EventQueue.most + 1)
        #expect(paused.withLock(\.self) == [true, false])
        #expect(queue.takeAll().isEmpty)
        #expect(paused.withLock(\.self) == [true, false])
    }
}

/// Work of several requests, on one task.
@Suite struct ErrandsTests {
    @Test func runOneAfterTheOtherInOrder() async {
        let errands = Errands()
        let (finished, finish) = AsyncStream<Int>.makeStream()
        let isRunning = Atomic(false)
        for number in 0..<Errands.most {
            let isTaken = errands.run {
                let wasRunning = isRunning.exchange(true, ordering: .relaxed)
                #expect(!wasRunning)
                await Task.yield()
                isRunning.store(false, ordering: .relaxed)
                finish.yield(number)
            }
            #expect(isTaken)
        }
        var numbers: [Int] = []
        for await number in finished {
            numbers.append(number)
            if numbers.count == Errands.most { break }
        }
        #expect(numbers == Array(0..<Errands.most))
    }

    @Test func areRefusedWhileTooManyWait() async {
        let errands = Errands()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        #expect(
            errands.run {
                begin.yield()
                for await _ in gate { break }
            })
        for await _ in begun { break }
        for _ in 0..<Errands.most { #expect(errands.run {}) }
        #expect(!errands.run {})
        open.yield()
    }
}
