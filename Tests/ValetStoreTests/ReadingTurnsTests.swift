import Foundation
import Testing

import struct Synchronization.Atomic

@testable import ValetStore

/// Between two turns there is a moment in which nobody reads.
@Suite(.timeLimit(.minutes(5))) struct ReadingTurnsTests {
    @Test func aReaderInATurnEndsWithIt() {
        let turns = ReadingTurns(length: .seconds(3_600))
        let end = turns.enter()
        #expect(turns.enter() == end, "another one has the rest of it")
        turns.leave()
        turns.leave()
        #expect(turns.enter() == end)
    }

    @Test func theNextTurnBeginsWhenAllHaveLeft() {
        let turns = ReadingTurns(length: .zero)
        let first = turns.enter()
        let reading = Atomic(1)
        let isWaiting = DispatchSemaphore(value: 0)
        let hasBegun = DispatchSemaphore(value: 0)
        let thread = Thread {
            isWaiting.signal()
            let second = turns.enter()
            #expect(reading.load(ordering: .sequentiallyConsistent) == 0)
            #expect(second > first)
            turns.leave()
            hasBegun.signal()
        }
        thread.start()
        isWaiting.wait()
        reading.store(0, ordering: .sequentiallyConsistent)
        turns.leave()
        hasBegun.wait()
    }

    /// Many threads, whose turns have no length: nobody waits for ever, and everyone gets on.
    @Test func everyThreadGetsOn() {
        let turns = ReadingTurns(length: .zero)
        let parts = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<2_000 {
                _ = turns.enter()
                parts.add(1, ordering: .relaxed)
                turns.leave()
            }
        }
        #expect(parts.load(ordering: .relaxed) == 8_000)
        #expect(turns.enter() <= .now)
    }
}
