import NIOCore
import Testing

@testable import ValetServer

/// How soon a file that can't be opened is tried again.
@Suite struct OpeningAttemptsTests {
    @Test func pausesGrowToFourSeconds() {
        var (attempts, now) = (OpeningAttempts(), NIODeadline.uptimeNanoseconds(1))
        #expect(attempts.areDue(at: now))
        for milliseconds in [120, 240, 480, 960, 1_920, 3_840, 3_840, 3_840] as [Int64] {
            _ = attempts.failed("locked", at: now)
            #expect(!attempts.areDue(at: now + .milliseconds(milliseconds - 1)))
            now = now + .milliseconds(milliseconds)
            #expect(attempts.areDue(at: now))
        }
    }

    @Test func aReasonIsNewOnce() {
        var attempts = OpeningAttempts()
        let reasons = ["locked", "locked", "damaged", "locked"]
        #expect(
            reasons.map { attempts.failed($0, at: .uptimeNanoseconds(1)) }
                == [true, false, true, true])
    }
}
