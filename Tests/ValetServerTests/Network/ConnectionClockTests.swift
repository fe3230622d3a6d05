import NIOCore
import Testing
import ValetModel

@testable import ValetServer

@Suite struct ConnectionClockTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000)

    private func at(_ seconds: Double) -> NIODeadline {
        start + .milliseconds(Int64(seconds * 1_000))
    }

    @Test func aBusyClientThatAlwaysHasAPartInHandIsNotCut() {
        var clock = ConnectionClock(now: start)
        for second in 1...60 {
            clock.bytesReceived(at: at(Double(second)))
            clock.framesTaken(at: at(Double(second)), hadFrame: true, isPartial: true)
            #expect(clock.overdue(at: at(Double(second) + 9), isGreeted: true) == nil)
        }
    }

    @Test func aGreetedConnectionIsLookedAtTwiceInAFramesTime() {
        let clock = ConnectionClock(now: start)
        #expect(clock.deadline(at: at(7), isGreeted: true) == at(12))
    }

    /// Looks when the clock says so, as a handler does.
    private func cut(_ clock: ConnectionClock, after now: NIODeadline) -> NIODeadline {
        var now = now
        while clock.overdue(at: now, isGreeted: true) == nil {
            now = clock.deadline(at: now, isGreeted: true)
        }
        return now
    }

    @Test(arguments: [0, 0.1, 2.5, 4.9])
    func aSlowFrameIsCutWhenItIsDue(begunAfter seconds: Double) {
        var clock = ConnectionClock(now: start)
        clock.bytesReceived(at: at(20 + seconds))
        clock.framesTaken(at: at(20 + seconds), hadFrame: false, isPartial: true)
        // The last look was before the frame began.
        let look = ConnectionClock(now: start).deadline(at: at(20), isGreeted: true)
        #expect(cut(clock, after: look) == at(30 + seconds))
    }

    @Test func aSilentClientIsCutWhenItIsDue() {
        var clock = ConnectionClock(now: start)
        clock.bytesReceived(at: at(3))
        #expect(cut(clock, after: at(5)) == at(93))
    }
}
