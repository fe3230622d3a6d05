import Testing

private func file(_ path: String, _ text: String) -> SourceFile {
    SourceFile(path: path, text: text + "\n")
}

private let model = "Sources/ValetModel/Some.swift"

// MARK: Form

@Test func aWideLineIsSeen() {
    let wide = String(repeating: "é", count: 100)
    #expect(Layout.complaints(about: file(model, wide)) == [])
    let found = Layout.complaints(about: file(model, "a\n" + wide + "!"))
    #expect(found == [Complaint(path: model, line: 2, message: "is too wide")])
    #expect(Layout.complaints(about: file("Proto/PROTOCOL.md", wide + "!")) == [])
}

@Test func aLongFileIsSeenUnlessItIsGenerated() {
    let lines = String(repeating: "a\n", count: 399) + "a"
    #expect(Layout.complaints(about: file(model, lines)) == [])
    #expect(
        Layout.complaints(about: file(model, "a\n" + lines)).map(\.message) == ["has 401 lines"])
    let generated = "// Made by Scripts/folding from data.\n" + lines
    #expect(Layout.complaints(about: file(model, generated)) == [])
}

@Test(arguments: ["a ", "a\t", "a\r", " "])
func aBlankAtTheEndOfALineIsSeen(line: String) {
    for path in [model, "Scripts/test", "Proto/PROTOCOL.md"] {
        let found = Layout.complaints(about: file(path, "a\n" + line + "\nb"))
        #expect(found == [Complaint(path: path, line: 2, message: "ends in a blank")])
    }
}

@Test func aMissingLineFeedIsSeen() {
    #expect(Layout.complaints(about: SourceFile(path: model, text: "a")).count == 1)
    #expect(Layout.complaints(about: SourceFile(path: model, text: "")) == [])
}

@Test func aStrayAtTheTopIsSeen() {
    let top = ["Package.swift", "Sources", "Tests", "Proto", "Scripts", "README.md", ".ci", ".git"]
    #expect(Layout.complaints(aboutTopLevel: top) == [])
    #expect(Layout.complaints(aboutTopLevel: top + ["notes.md"]).map(\.path) == ["notes.md"])
    #expect(Layout.complaints(aboutTopLevel: Array(top.dropFirst())).map(\.path) == [top[0]])
}

// MARK: Imports

@Test(arguments: [
    ("Sources/ValetModel/A.swift", "import Foundation"),
    ("Sources/ValetModel/A.swift", "import ValetClient"),
    ("Sources/ValetProtocol/A.swift", "import Foundation"),
    ("Sources/ValetProtocol/A.swift", "import ValetArrangement"),
    ("Sources/ValetArrangement/A.swift", "internal import Foundation"),
    ("Sources/ValetArrangement/A.swift", "import NIOCore"),
    ("Sources/ValetTerminal/A.swift", "import struct Foundation.Date"),
    ("Sources/ValetTerminal/A.swift", "import ValetServer"),
    ("Sources/ValetServer/A.swift", "import TestSupport"),
    ("Tests/TestSupport/A.swift", "import ValetClient"),
    ("Sources/ValetServer/Session/A.swift", "import CSQLite"),
    ("Sources/ValetServer/A.swift", "@testable import ValetClient"),
    ("Sources/ValetClient/A.swift", "@preconcurrency import ValetStore"),
    ("Sources/ValetStore/A.swift", "import CLZ4"),
    ("Sources/valet/main.swift", "import ValetServer"),
    ("Sources/Other/A.swift", "let a = 1"),
    ("Sources/ValetServer/A.swift", "import Synchronization"),
    ("Tests/ValetServerTests/A.swift", "import struct Synchronization.Mutex"),
    ("Tests/ValetModelTests/A.swift", "import ValetStore"),
    ("Tests/ValetServerTests/A.swift", "import CSQLite"),
    ("Tests/ValetStoreTests/A.swift", "import CLZ4"),
    ("Tests/OtherTests/A.swift", "import ValetModel"),
])
func anImportDownTheListIsSeen(path: String, line: String) {
    #expect(Imports.complaints(about: file(path, "// why\n" + line)).count == 1)
}

@Test(arguments: [
    ("Sources/ValetModel/A.swift", "// we import Foundation nowhere"),
    ("Sources/ValetModel/A.swift", "let text = \"how to import Foundation\""),
    ("Sources/ValetModel/A.swift", "import struct Synchronization.Atomic"),
    ("Sources/ValetModel/Mutex.swift", "#if A\n    import Glibc\n#endif\nimport Synchronization"),
    ("Sources/ValetProtocol/A.swift", "import CLZ4\nimport NIOCore\nimport ValetModel"),
    ("Sources/ValetStore/SQLite/A.swift", "import CSQLite\nimport Foundation"),
    ("Sources/ValetTerminal/A.swift", "#if canImport(Glibc)\nimport Glibc\n#endif"),
    ("Sources/valet-load/main.swift", "import ValetLoad"),
    ("Tests/ValetStoreTests/A.swift", "import CSQLite\n@testable import ValetStore"),
    ("Tests/ValetServerTests/A.swift", "import NIOEmbedded\nimport Testing\nimport ValetServer"),
    ("Tests/ValetStoreTests/A.swift", "import TestSupport"),
    ("Tests/ValetClientTests/A.swift", "import ValetServer"),
    ("Tests/EndToEndTests/A.swift", "import Foundation\nimport ValetModel"),
    ("Scripts/setup", "import sys"),
])
func anImportUpTheListPasses(path: String, text: String) {
    #expect(Imports.complaints(about: file(path, text)) == [])
}

@Test(arguments: [
    ("import ValetModel", "ValetModel"), ("    import Glibc", "Glibc"),
    ("@testable import ValetStore", "ValetStore"), ("public import NIOCore", "NIOCore"),
    ("import struct Foundation.Date", "Foundation"),
    ("import class Foundation.Thread", "Foundation"),
])
func anImportIsReadInEveryForm(line: String, module: String) {
    #expect(Imports.importedModule(line[...]) == module)
}

// MARK: Leftovers

@Test(arguments: [
    (model, "// TODO: more"), (model, "// FIXME later"), (model, "// XXX"),
    (model, "let a = try! b()"),
    (model, "fatalError(\"not implemented yet\")"), (model, "print(a)"), (model, "    print()"),
    ("Tests/ValetModelTests/A.swift", "try await Task.sleep(for: .seconds(1))"),
    ("Tests/ValetModelTests/A.swift", "Thread.sleep(forTimeInterval: 1)"),
    ("Tests/EndToEndTests/A.swift", "usleep(100)"), ("Tests/EndToEndTests/A.swift", "print(text)"),
    ("Scripts/test", "# TODO"), ("README.md", "See issue #12."), (model, "// As in /work/main"),
])
func aLeftoverIsSeen(path: String, line: String) {
    let found = Leftovers.complaints(about: file(path, "a\n" + line + "\nb"))
    #expect(found.map(\.line) == [2])
}

@Test(arguments: [
    (model, "fingerprint(a)"), (model, "text.print(a)"), (model, "try? b()"),
    (model, "mkdtemp(\"a.XXXXXX\")"),
    ("Sources/ValetCommands/A.swift", "print(row)"),
    ("Sources/valet-load/main.swift", "print(row)"),
    ("Sources/ValetServer/A.swift", "try await Task.sleep(for: delay)"),
    ("Tests/ValetModelTests/A.swift", "Issue.record(\"no\")"),
])
func aWordThatOnlyLooksLikeALeftoverPasses(path: String, line: String) {
    #expect(Leftovers.complaints(about: file(path, line)) == [])
}

// MARK: Shared state

private func claims(_ reasons: [String: String]) -> ReasonedClaims {
    ReasonedClaims(claims: ReasonedClaims.sharedState.claims, reasons: reasons)
}

@Test(arguments: ["final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1"])
func aClaimWithoutAReasonIsSeen(line: String) {
    let claim = file(model, line)
    #expect(claims([:]).complaints(about: claim).map(\.line) == [1])
    #expect(claims([model: ""]).complaints(about: claim).count == 1)
    #expect(claims([model: "one thread owns it"]).complaints(about: claim) == [])
}

@Test func aDescriptorWithoutAReasonIsSeen() {
    let text = "let database = open(path, O_RDONLY)"
    let claims = ReasonedClaims.descriptors
    #expect(claims.complaints(about: file("Sources/ValetStore/Some.swift", text)).count == 1)
    #expect(claims.complaints(about: file(model, text)) == [], "it opens no database")
}

@Test func aReasonWithoutAClaimIsSeen() {
    let reasons = [model: "one thread owns it"]
    #expect(claims(reasons).complaints(about: file(model, "struct A {}")).count == 1)
    #expect(claims(reasons).stale(paths: []).map(\.path) == [model])
    #expect(claims(reasons).stale(paths: [model]) == [])
}
