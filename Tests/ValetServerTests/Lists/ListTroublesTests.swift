import NIOCore
import Testing

@testable import ValetServer

@Suite struct ListTroublesTests {
    @Test func eachListIsNamedOnceAMinute() {
        let log = KeptLog()
        let troubles = ListTroubles(of: ["cars", "owners"], log.logger)
        let start = NIODeadline.uptimeNanoseconds(1)
        for seconds in [0, 1, 59] as [Int64] {
            troubles.note(0, .locked, at: start + .seconds(seconds))
            troubles.note(1, .locked, at: start + .seconds(seconds))
        }
        troubles.note(1, .locked, at: start + .seconds(60))
        #expect(log.values(of: "list") == ["cars", "owners", "owners"])
    }
}
