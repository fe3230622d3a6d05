import Foundation
import TestSupport
import Testing
import ValetModel
import ValetSecurity

@testable import ValetCommands

@Suite struct KnownServersTests {
    private let folder = TemporaryFolder()
    private let desk = ServerAddress(host: "Cars.example", port: 7_425, isEncrypted: true)
    private var known: KnownServers { KnownServers(path: folder.file("state/servers")) }

    private func key(_ letter: Character) throws -> KeyFingerprint {
        try #require(KeyFingerprint("SHA256:" + String(repeating: letter, count: 42) + "A"))
    }

    @Test func aKeyHoldsUntilAnotherTakesItsPlace() throws {
        #expect(try known.trust(at: desk) == .system)
        let other = ServerAddress(host: "cars.example", port: 7_426, isEncrypted: true)
        try known.keep(key("a"), of: desk)
        try known.keep(key("b"), of: other)
        try known.keep(key("c"), of: desk)
        #expect(try known.trust(at: desk) == .key(key("c")))
        #expect(try known.trust(at: other) == .key(key("b")))
        let text = try String(contentsOfFile: folder.file("state/servers"), encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["cars.example:7425", "cars.example:7425 SHA256:x", "cars.example:7425 a b"])
    func aLineWithoutAKeyIsSaid(line: String) throws {
        folder.write(line + "\n", to: "state/servers")
        #expect(failure { try known.trust(at: desk) }?.message.contains("remove that line") == true)
    }

    @Test func aFileThatIsTooLongIsSaid() throws {
        folder.write([UInt8](repeating: 0x0A, count: 1 << 20 + 1), to: "state/servers")
        #expect(failure { try known.trust(at: desk) }?.code == .limitExceeded)
        #expect(failure { try known.keep(key("a"), of: desk) }?.code == .limitExceeded)
    }

    @Test(arguments: [
        "valets://10.0.0.1%00x", "valets://a%0Ab", "valets://a%20b:1", "valets://a%7F",
    ])
    func aHostOfControlCharactersIsNone(text: String) {
        #expect(throws: CommandFailure.self) { try Target(text) }
    }
}
