import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetLoad

private func shell(_ script: String) throws -> ServerProcess {
    try ServerProcess(executable: "/bin/sh", arguments: ["-c", script])
}

@Test func aServerSaysWhereItListens() async throws {
    let server = try shell("echo listening on 127.0.0.1:4711; exec sleep 60")
    #expect(server.port == 4_711)
    await server.stop()
    await server.stop()
}

@Test func aServerThatIsKilledSaysHowItEnded() async throws {
    let server = try shell("echo listening on 127.0.0.1:4711; exec sleep 60")
    #expect(server.ending == nil)
    await server.stop()
    #expect(server.ending == "signal 9")
}

@Test(arguments: ["exit 1", "echo ready; exec sleep 60", "echo 127.0.0.1:70000; exec sleep 60"])
func aServerThatDoesNotSayWhereIsEnded(_ script: String) {
    #expect(failure { try shell(script) }?.code == .shuttingDown)
}

@Test func aProgramThatIsNotThereIsAnError() {
    #expect(throws: (any Error).self) {
        try ServerProcess(executable: "/nowhere/valetd", arguments: [])
    }
}
