import Foundation
import Testing

/// Each rule of PROTOCOL.md has a test here whose name begins with its number, and none has two
/// meanings.
@Suite struct RuleListTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func rules() throws -> Set<Int> {
        let document = try String(
            contentsOf: Self.root.appending(path: "Proto/PROTOCOL.md"), encoding: .utf8)
        return Set(document.matches(of: /(?m)^- \[P(\d+)\]/).compactMap { Int($0.1) })
    }

    /// The numbers in the names of test functions.
    private func tested() throws -> Set<Int> {
        let folder = Self.root.appending(path: "Tests/ProtocolRuleTests")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var numbers: Set<Int> = []
        for file in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            // With its attribute, so that a test that is taken out does not count.
            let names = source.matches(of: /@Test(?:\([^@]*?\))?\s+func p(\d+)[A-Z]/)
            numbers.formUnion(names.compactMap { Int($0.1) })
        }
        return numbers
    }

    @Test func everyRuleHasATestAndEveryTestARule() throws {
        let (rules, tested) = (try rules(), try tested())
        #expect(rules.count >= 72)
        #expect(rules.subtracting(tested).sorted() == [], "rules without a test")
        #expect(tested.subtracting(rules).sorted() == [], "tests of no rule")
    }
}
