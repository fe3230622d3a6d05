import Foundation
import TestSupport
import Testing
import ValetModel
import ValetSecurity

@Suite struct PrincipalsFileTests {
    private let folder = TemporaryFolder()

    private var file: PrincipalsFile { PrincipalsFile(path: folder.principalsPath) }

    @Test func tokensAreAddedAndRevoked() throws {
        let first = try folder.token(for: "a", ["reader", "accounts"])
        let (second, third) = (try folder.token(for: "b"), try folder.token(for: "a"))
        var entries = try file.entries()
        #expect(entries.map(\.principal.name) == ["a", "b", "a"])
        #expect(entries.map(\.proof) == [first, second, third].map { .token($0.hash) })
        #expect(entries[0].principal.roles == ["reader", "accounts"])
        #expect(try file.revoke("a", .token(second.hash)) == 0)
        #expect(try file.revoke("a", .token(first.hash)) == 1)
        #expect(try file.revoke("c") == 0)
        entries = try file.entries()
        #expect(entries.map(\.proof) == [second, third].map { .token($0.hash) })
        #expect(try file.revoke("b") == 1 && file.revoke("a") == 1 && file.entries().isEmpty)
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text.isEmpty)
    }

    @Test func itHoldsNoTokenAndIsItsOwners() throws {
        let token = try folder.token(for: "a")
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(!text.contains(token.text.dropFirst(6)))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aFileThatEverybodyCanChangeIsRefused() throws {
        _ = try folder.token(for: "a")
        #expect(chmod(file.path, 0o622) == 0)
        #expect(failure { try file.entries() }?.message.contains("chmod o-w") == true)
    }

    @Test func remarksStay() throws {
        folder.write("# those at the gates\n\n \t# more\n", to: "tokens")
        let token = try folder.token(for: "a")
        #expect(try file.entries().map(\.proof) == [.token(token.hash)])
        #expect(try file.revoke("a") == 1)
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text == "# those at the gates\n \t# more\n")
    }

    @Test(arguments: [
        ("a", "line 2: a name"), ("a token:x", "line 2: the second word is no"),
        ("a token:x writer more", "line 2: a name"),
        ("a token:x writer", "line 2: the second word is no"),
        ("a/b HASH writer", "line 2: names of principals"),
        ("a HASH writer,,reader", "line 2: names of principals"),
        ("a HASH writer\nb HASH writer", "line 3: the token or key of another line"),
    ]) func aSlipIsSaidWithItsLine(text: String, words: String) throws {
        let hash = "\(AccessToken().hash)"
        folder.write("# remark\n" + text.replacing("HASH", with: hash), to: "tokens")
        let error = failure { try file.entries() }
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(hash) == false)
    }

    @Test func aKeyIsAddedAndRevoked() throws {
        let key = try folder.certificate().shown.key
        let station = try #require(Principal(name: "a", roles: ["reader"]))
        let token = try folder.token(for: "a")
        try file.add(station, .key(key))
        #expect(try file.entries().map(\.proof) == [.token(token.hash), .key(key)])
        let other = try #require(Principal(name: "b", roles: []))
        #expect(failure { try file.add(other, .key(key)) }?.message.contains("of “a”") == true)
        #expect(try ShownCertificate(file: folder.certificatePath).key == key)
        #expect(failure { try ShownCertificate(file: folder.keyPath) }?.code == .notAllowed)
        #expect(try file.revoke("a", .key(key)) == 1)
        #expect(try file.entries().map(\.proof) == [.token(token.hash)])
    }

    /// Somebody may write a token where its hash belongs.
    @Test func aSlipDoesNotTellAToken() {
        let token = AccessToken()
        folder.write("a \(token.text) writer", to: "tokens")
        #expect(failure { try file.entries() }?.message.contains(token.text) == false)
    }

    @Test func itHasLimits() {
        let lines = (0...Limits.tokens).map { "a\($0) \(AccessToken().hash) r\n" }
        folder.write(lines.dropLast().joined(), to: "tokens")
        #expect(failure { try file.entries() } == nil)
        folder.write(lines.joined(), to: "tokens")
        #expect(failure { try file.entries() }?.code == .limitExceeded)
        folder.write([UInt8](repeating: 0x0A, count: 2 << 20), to: "tokens")
        #expect(failure { try file.entries() }?.code == .limitExceeded)
        folder.write([0x61, 0xFF], to: "tokens")
        #expect(failure { try file.entries() }?.message.contains("UTF-8") == true)
        #expect(failure { try PrincipalsFile(path: "/none/tokens").entries() }?.code == .notAllowed)
        #expect(failure { try PrincipalsFile(path: "a\0").entries() }?.code == .notAllowed)
    }

    @Test func thoseWhoAddAtOnceAllDo() async throws {
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for number in 0..<20 {
                group.addTask { [folder] in try folder.token(for: "station-\(number)") }
            }
            return try await group.reduce(into: Set()) { $0.insert(Proof.token($1.hash)) }
        }
        #expect(try Set(file.entries().map(\.proof)) == tokens)
    }
}
