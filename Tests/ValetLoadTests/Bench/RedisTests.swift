import Foundation
import Testing
import ValetModel

@testable import ValetLoad

@Test func figuresAreReadByTheirNames() {
    let csv = """
        "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms",\
        "p99_latency_ms","max_latency_ms"
        "GET window","60168.47","0.555","0.144","0.551","0.791","0.911","5.095"

        """
    let figures = RedisFigures(csv: csv)
    #expect(figures?.perSecond == 60_168.47)
    #expect(figures?.p50Microseconds == 551)
    #expect(figures?.p99Microseconds == 911)
}

@Test(arguments: [
    "", "\"test\",\"rps\"", "\"test\",\"rps\"\n\"GET\"", "Could not connect to Redis\nat port 1",
    "\"rps\",\"p50_latency_ms\",\"p99_latency_ms\"\n\"a\",\"b\",\"c\"",
])
func whatIsNoFiguresIsNone(_ csv: String) {
    #expect(RedisFigures(csv: csv) == nil)
}

@Test func redisIsInstalledWhenBothProgramsAre() throws {
    let scratch = try ScratchDirectory()
    func install(_ program: String, permissions: Int) {
        _ = FileManager.default.createFile(
            atPath: scratch.file(program), contents: nil,
            attributes: [.posixPermissions: permissions])
    }
    let path = "/nowhere:\(scratch.path)"
    install("redis-server", permissions: 0o700)
    #expect(RedisTools.installed(path: path) == nil)
    install("redis-benchmark", permissions: 0o700)
    let tools = RedisTools.installed(path: path)
    #expect(tools?.server == scratch.file("redis-server"))
    #expect(tools?.benchmark == scratch.file("redis-benchmark"))
    #expect(RedisTools.installed(path: "") == nil)
}

@Test func aRedisThatDoesNotStartIsSaidSo() async {
    let tools = RedisTools(server: "/bin/false", benchmark: "/bin/false")
    let error = await #expect(throws: ValetError.self) {
        try await RedisServer.start(tools)
    }
    #expect(error?.code == .shuttingDown)
}
