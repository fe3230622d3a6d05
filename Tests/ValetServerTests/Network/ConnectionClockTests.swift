import NIOCore
import Testing
import ValetModel

@testable import ValetServer

@Suite struct ConnectionClockTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000)

    private func at(_ seconds: Double) -> NIODeadline {
        start + .milliseconds(Int64(seconds * 1_000))
    }

    @Test func aHelloIsDueInFiveSeconds() {
        let clock = ConnectionClock(now: start)
        #expect(clock.deadline(at: start, isGreeted: false) == at(5))
        #expect(clock.overdue(at: at(4.9), isGreeted: false) == nil)
        #expect(clock.overdue(at: at(5), isGreeted: false)?.code == .timedOut)
        #expect(clock.overdue(at: at(5), isGreeted: true) == nil)
    }

    @Test func aFrameThatDribblesIsCut() {
        var clock = ConnectionClock(now: start)
        for second in 1...9 {
            clock.bytesReceived(at: at(Double(second)))
            clock.framesTaken(at: at(Double(second)), hadFrame: false, isPartial: true)
        }
        #expect(clock.overdue(at: at(10.9), isGreeted: true) == nil)
        let error = clock.overdue(at: at(11), isGreeted: true)
        #expect(error?.message == "a frame took longer than 10 seconds")
    }

    @Test func aBusyClientThatAlwaysHasAPartInHandIsNotCut() {
        var clock = ConnectionClock(now: start)
        for second in 1...60 {
            clock.bytesReceived(at: at(Double(second)))
            clock.framesTaken(at: at(Double(second)), hadFrame: true, isPartial: true)
            #expect(clock.overdue(at: at(Double(second) + 9), isGreeted: true) == nil)
        }
    }

    @Test func silenceIsCutAfterAMinuteAndAHalf() {
        var clock = ConnectionClock(now: start)
        clock.bytesReceived(at: at(10))
        #expect(clock.overdue(at: at(99.9), isGreeted: true) == nil)
        let error = clock.overdue(at: at(100), isGreeted: true)
        #expect(error?.message == "silent for 90 seconds")
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
