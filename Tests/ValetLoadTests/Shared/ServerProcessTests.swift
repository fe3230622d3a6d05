import Foundation
import Testing
import ValetModel

@testable import ValetLoad

private func shell(_ script: String) throws -> ServerProcess {
    try ServerProcess(executable: "/bin/sh", arguments: ["-c", script])
}

@Test func aServerSaysWhereItListens() async throws {
    let server = try shell("echo listening on 127.0.0.1:4711; exec sleep 60")
    #expect(server.port == 4_711)
    #if os(Linux)
        let memory = try #require(server.memory())
        #expect(memory.resident > 0)
        #expect(memory.peak >= memory.resident)
    #endif
    await server.stop()
    #expect(server.memory() == nil)
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
    let error = #expect(throws: ValetError.self) { try shell(script) }
    #expect(error?.code == .shuttingDown)
}

@Test func aProgramThatIsNotThereIsAnError() {
    #expect(throws: (any Error).self) {
        try ServerProcess(executable: "/nowhere/valetd", arguments: [])
    }
}

@Test func memoryIsReadFromTheStatusFile() {
    let status = "Name:\tvaletd\nVmPeak:\t  900 kB\nVmHWM:\t   512 kB\nVmRSS:\t   256 kB\n"
    #expect(ServerMemory(procStatus: status) == ServerMemory(resident: 262_144, peak: 524_288))
}

@Test(arguments: ["", "VmRSS:\t 256 kB\n", "VmHWM:\t1 MB\nVmRSS:\t1 MB\n", "VmHWM:\nVmRSS:\n"])
func aStatusFileWithoutMemoryIsNone(_ status: String) {
    #expect(ServerMemory(procStatus: status) == nil)
}
