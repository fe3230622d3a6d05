import Testing
import ValetClient
import ValetModel

@testable import ValetCommands

@Test(
    arguments: [
        ("valet://stable", "stable", ValetConnection.standardPort, nil),
        ("VALETS://stable:8000/cars", "stable", 8_000, "cars"),
        ("valet://stable:8000", "stable", 8_000, nil),
        ("valet://stable/cars", "stable", ValetConnection.standardPort, "cars"),
        ("valet://10.0.0.1:65535/cars", "10.0.0.1", 65_535, "cars"),
        ("valet://[::1]:7425/cars", "::1", 7_425, "cars"),
        ("valet://stable/", "stable", ValetConnection.standardPort, nil),
        ("valet://stable/my%20cars", "stable", ValetConnection.standardPort, "my cars"),
        ("valet://stable/a/b", "stable", ValetConnection.standardPort, "a/b"),
    ] as [(String, String, Int, String?)])
func anAddressNamesHostPortAndList(text: String, host: String, port: Int, list: String?) throws {
    let address = ServerAddress(
        host: host, port: port, isEncrypted: text.lowercased().hasPrefix("valets:"))
    #expect(try Target(text) == .server(Servers(address), list: list))
}

@Test func aClustersNodesAreOneTarget() throws {
    let nodes = [("ana", 7_425), ("::1", 8_000), ("10.0.0.3", ValetConnection.standardPort)]
    let servers = Servers(
        nodes.map { ServerAddress(host: $0.0, port: $0.1, isEncrypted: true) })
    let text = "valets://ana:7425,[::1]:8000,10.0.0.3"
    #expect(try Target(text) == .server(#require(servers), list: nil))
    #expect(try Target(text + "/my%20cars") == .server(#require(servers), list: "my cars"))
    let most = (1...Servers.most).map { "h\($0)" }.joined(separator: ",")
    #expect(throws: Never.self) { try Target("valet://" + most) }
    for wrong in [most + ",x", "a,", ",a", "a,,b", "a,A", "a:1,b:x", "a,b?c", "me@a,b"] {
        let failure = #expect(throws: CommandFailure.self) { try Target("valet://" + wrong) }
        #expect(failure?.status == .usage)
    }
}

/// Whoever has lost a server tries the others first; all have failed before one is tried again.
@Test func serversTakeTurns() async throws {
    let servers = try #require(
        Servers((1...3).map { ServerAddress(host: "h\($0)", port: 1) }))
    let turns = ServerTurns(servers, authorities: nil)
    var message = ""
    func connect(dead: Set<String>) async throws -> (tried: [String], connected: String?) {
        var tried: [String] = []
        do throws(ValetError) {
            let connected = try await turns.connect { (address, trust) throws(ValetError) in
                tried.append(address.host)
                guard trust == nil, !dead.contains(address.host) else {
                    throw ValetError(.timedOut, address.host)
                }
                return address.host
            }
            return (tried, connected)
        } catch {
            message = error.message
            return (tried, nil)
        }
    }
    #expect(try await connect(dead: []) == (["h1"], "h1"))
    #expect(try await connect(dead: ["h1"]) == (["h2"], "h2"))
    #expect(try await connect(dead: ["h2", "h3"]) == (["h3", "h1"], "h1"))
    #expect(try await connect(dead: ["h1", "h2", "h3"]) == (["h2", "h3", "h1"], nil))
    #expect(message == "h2, and no connection to any of the other servers, either")
    #expect(try await connect(dead: ["h2"]) == (["h2", "h3"], "h3"))
}

@Test(arguments: [
    "valet://", "valet:///cars", "valet://:7425", "valet://stable:0", "valet://stable:65536",
    "valet://stable:x", "valet://me@stable", "valet://stable?list=cars", "valet://stable#cars",
    "valet://sta ble", "valets://", "http://stable", "valet://\u{301}stable",
])
func aTextThatIsNoAddressIsAUsageError(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try Target(text) }
    #expect(failure?.status == .usage)
}

@Test(arguments: ["cars.sqlite", "/a/b c.db", "valet:/x", "file", "./valet://x", "://x"])
func anythingElseIsAFile(path: String) throws {
    #expect(try Target(path) == .file(path: path))
}

@Test func theGalleryIsATarget() throws {
    #expect(try Target("demo:") == .demo(.usual))
    #expect(try Target("demo:1000x20") == .demo(.usual))
    #expect(try Target("demo:1000000x1") != .demo(.usual))
    for wrong in ["7", "x", "0x5", "5x0", "-1x1", "1000x1001", "9223372036854775807x2", "2x2x2"] {
        #expect(throws: CommandFailure.self, "\(wrong)") { try Target("demo:" + wrong) }
    }
}

@Test(arguments: ["-", "cars.csv", "/a/b c.TSV", "x.tab"])
func rowsInAFileAreLookedAt(path: String) throws {
    #expect(try Target(path) == .csv(path: path))
}

// MARK: Where a server listens

@Test(arguments: [
    ("127.0.0.1:7425", "127.0.0.1", 7_425, true), ("127.9.9.9:0", "127.9.9.9", 0, true),
    ("localhost:65535", "localhost", 65_535, true), ("[::1]:1", "::1", 1, true),
    ("0.0.0.0:80", "0.0.0.0", 80, false), ("[::]:80", "::", 80, false),
    ("stable:80", "stable", 80, false), ("127.example.org:80", "127.example.org", 80, false),
    ("127.0.0.1.example.org:80", "127.0.0.1.example.org", 80, false),
])
func aListenAddressIsReadAndJudged(text: String, host: String, port: Int, isLocal: Bool) throws {
    let address = try ListenAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.isLocal == isLocal)
}

@Test(arguments: [
    "", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:x",
    "::1:80", "[]:80", "[::1]", "[::1:80",
])
func aMalformedListenAddressIsRefused(text: String) {
    #expect(throws: (any Error).self) { try ListenAddress(text) }
}

@Test func addressesThatOthersReachNeedConsent() throws {
    #expect(throws: (any Error).self) {
        try ServeCommand.parse(["a.sqlite", "--listen", "0.0.0.0:7425"])
    }
    _ = try ServeCommand.parse(["a.sqlite", "--listen", "0.0.0.0:7425", "--insecure"])
    _ = try ServeCommand.parse(
        ["a.sqlite", "--listen", "0.0.0.0:7425", "--certificate", "a.pem", "--key", "a.key"])
    #expect(throws: (any Error).self) {
        try ServeCommand.parse(["a.sqlite", "--certificate", "a.pem"])
    }
    _ = try ServeCommand.parse(["a.sqlite"])
}

@Test(arguments: [
    ("67108864", 64 << 20), ("64M", 64 << 20), ("2g", 2 << 30), ("0", 0), ("1K", 1 << 10),
])
func memoryIsSaidInBytes(text: String, bytes: Int) {
    #expect(ByteCount(argument: text)?.bytes == bytes)
}

@Test(arguments: [
    "", "M", "-1G", "1.5G", "2T", "2 G", "9223372036854775808", "9223372036854775807K",
])
func malformedMemoryIsRefused(text: String) {
    #expect(ByteCount(argument: text) == nil)
}

@Test func aServerNeedsSomeMemory() throws {
    #expect(throws: (any Error).self) {
        try ServeCommand.parse(["a.sqlite", "--memory", "\(Limits.leastBytesOfLists - 1)"])
    }
    let command = try ServeCommand.parse(["a.sqlite", "--memory", "64M"])
    #expect(command.memory?.bytes == Limits.leastBytesOfLists)
    #expect(try ServeCommand.parse(["a.sqlite"]).memory == nil)
}
