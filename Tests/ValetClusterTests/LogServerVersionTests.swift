import Testing
import ValetModel

@testable import ValetCluster

@Suite struct LogServerVersionTests {
    @Test(arguments: ["2.15.1", "2.15.10", "2.16.0", "2.16.0-RC.1", "3.0.0", "10.0.0"])
    func newServersKeepLogs(version: String) {
        #expect(LogServerVersion.refusal(of: version) == nil)
    }

    @Test(arguments: [
        "2.9.25", "2.10.29", "2.15.0", "1.99.99", "", "2.15", "2.15.1.1", "2.15.x", "-2.15.1",
        "2.-15.1", "2..1", "99999999999999999999.1.1",
    ])
    func oldOnesAndWhatIsNoVersionAreRefused(version: String) {
        let refusal = LogServerVersion.refusal(of: version)
        #expect(refusal?.message.contains("are nats-server \(version)") == true)
        #expect(refusal?.message.contains("2.15.1 or later") == true)
    }

    @Test func whoSaysNothingIsOld() {
        #expect(LogServerVersion.refusal(of: nil)?.message.contains("don't say") == true)
        let long = String(repeating: "9", count: 5_000)
        #expect((LogServerVersion.refusal(of: long)?.message.utf8.count ?? 0) < 300)
    }
}
