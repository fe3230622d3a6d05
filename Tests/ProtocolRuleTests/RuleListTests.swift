import Foundation
import Testing

/// Each rule of PROTOCOL.md has a test here whose name begins with its number, none has two
/// meanings, and the index at the document's end names all. `VALET_RENEW_VECTORS=1` writes the
/// index anew.
@Suite struct RuleListTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let path = root.appending(path: "Proto/PROTOCOL.md")
    private static let heading = "## 16. Index of rules\n"

    private struct Rule: Equatable {
        var number: Int
        var section: String
    }

    private let document: String

    init() throws { document = try String(contentsOf: Self.path, encoding: .utf8) }

    /// The rules as they stand, each with the chapter and section that it is in.
    private var rules: [Rule] {
        var (chapter, section) = ("", "")
        var rules: [Rule] = []
        for line in document.split(separator: "\n") {
            if line.hasPrefix("## ") {
                (chapter, section) = (String(line.dropFirst(3)), "")
            } else if line.hasPrefix("### ") {
                section = ": " + line.dropFirst(4)
            } else if let number = line.firstMatch(of: #/^- \[P(\d+)\] /#) {
                rules.append(Rule(number: Int(number.1) ?? 0, section: chapter + section))
            }
        }
        return rules
    }

    /// The names of test functions, by their numbers.
    private func tests() throws -> [Int: [String]] {
        let folder = Self.root.appending(path: "Tests/ProtocolRuleTests")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var tests: [Int: [String]] = [:]
        for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            // With its attribute, so that a test that is taken out does not count.
            for name in source.matches(of: /@Test(?:\([^@]*?\))?\s+func (p(\d+)[A-Z]\w*)/) {
                tests[Int(name.2) ?? 0, default: []].append(String(name.1))
            }
        }
        return tests
    }

    @Test func everyRuleHasATestAndEveryTestARule() throws {
        let (rules, tested) = (Set(rules.map(\.number)), Set(try tests().keys))
        #expect(rules.count >= 72)
        #expect(rules.subtracting(tested).sorted() == [], "rules without a test")
        #expect(tested.subtracting(rules).sorted() == [], "tests of no rule")
    }

    /// Rules refer to rules that there are.
    @Test func everyRuleThatIsNamedIsThere() throws {
        let defined = Set(rules.map(\.number))
        let named = document.matches(of: /\bP(\d+)\b/).compactMap { Int($0.1) }
        #expect(Set(named).subtracting(defined).sorted() == [])
    }

    @Test func theIndexHasEveryRuleOnceAndInOrder() throws {
        let (rules, tests) = (rules, try tests())
        #expect(Set(rules.map(\.number)).count == rules.count, "a rule is there twice")
        let lines = rules.sorted { $0.number < $1.number }.map { rule in
            "| P\(rule.number) | \(rule.section) | \(tests[rule.number]?.first ?? "") |\n"
        }
        let index =
            "\n| rule | section | its test, or the first of them |\n|---|---|---|\n"
            + lines.joined()
        let start = try #require(document.range(of: Self.heading)).upperBound
        if ProcessInfo.processInfo.environment["VALET_RENEW_VECTORS"] == "1" {
            try (document[..<start] + index).write(to: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(document[start...] == index, "VALET_RENEW_VECTORS=1 writes the index anew")
        }
    }
}
