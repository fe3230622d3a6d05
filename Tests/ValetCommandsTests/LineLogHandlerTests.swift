import Foundation
import Logging
import Testing

@testable import ValetCommands

private func line(_ words: String, _ pairs: [(String, String)] = []) -> String {
    LogFormat.text.line(time: "T", level: .warning, words: words, pairs: pairs)
}

@Test func anEventIsALine() {
    #expect(line("stopped") == "T warning stopped\n")
    #expect(
        line("refused", [("code", "malformed"), ("peer", "[::1]:80")])
            == "T warning refused code=malformed peer=[::1]:80\n")
}

@Test(arguments: [
    ("a b", #"k="a b""#), ("", #"k="""#), ("a\nT info forged", #"k="a\nT info forged""#),
    ("\u{1B}[2J", #"k="\u001b[2J""#), ("a\"b", #"k="a\"b""#), ("a\u{2028}b", #"k="a\u2028b""#),
    ("a\u{85}b", #"k="a\u0085b""#), ("a\tb", #"k="a\tb""#), ("a=b", "k=a=b"),
    ("a \u{301}b", "k=\"a \u{301}b\""),
])
func aValueCannotForgeALine(value: String, field: String) {
    let line = line("words", [("k", value)])
    #expect(line == "T warning words \(field)\n")
    #expect(line.unicodeScalars.filter { $0.value < 0x20 }.count == 1)
}

@Test func wordsCannotForgeALineEither() {
    #expect(line("a\nb\u{1B}c") == "T warning a\\nb\\u001bc\n")
}

@Test(arguments: ["a\nb", "\u{1B}[2J", "\"", "\u{2028}", "é", "", "\\"])
func anEventIsAJSONObject(text: String) throws {
    let line = LogFormat.json.line(
        time: "T", level: .error, words: text, pairs: [("peer", text), ("connection", "7")])
    #expect(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1)
    #expect(line.unicodeScalars.filter { $0.value < 0x20 }.count == 1)
    let object = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    #expect(
        object == [
            "time": "T", "level": "error", "message": text, "peer": text, "connection": "7",
        ])
}
