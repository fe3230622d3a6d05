import Foundation
import TestSupport
import Testing

/// A shell offers the names of what is in the target.
@Suite(.runsPrograms) struct CompletionTests {
    private let scratch = Scratch()

    private func file() throws -> String {
        try scratch.database(table: "owners", csv: "name\nana\n")
        return try scratch.database(
            table: "cars", csv: "make,\"top speed\",\"$(touch made)\",-x,`id`\nBMW,1,2,3,4\n")
    }

    /// What is offered for the last word.
    private func offered(_ words: [String], for name: String) throws -> [String] {
        let length = words[words.count - 1].count
        let command =
            ["---completion", words[0], "--", name, "\(words.count)", "\(length)", "valet"] + words
        let done = try scratch.valet(command, expecting: 0)
        #expect(done.message == "")
        return done.text.split(separator: "\n").map(String.init)
    }

    @Test func listsAndColumnsAreOffered() throws {
        let path = try file()
        #expect(try offered(["rows", path, "--list", ""], for: "--list") == ["owners", "cars"])
        #expect(try offered(["rows", path, "--list", "c"], for: "--list") == ["owners", "cars"])
        let equals = ["rows", path, "--list", "=", "c"]
        #expect(try offered(equals, for: "--list") == ["owners", "cars"])
        let middle = ["---completion", "rows", "--", "--list", "3", "0"]
        try scratch.valet(
            middle + ["valet", "rows", "--list", "", path], expecting: 0, prints: "owners\ncars\n")
        let sort = ["rows", path, "--list", "owners", "--sort", ""]
        #expect(try offered(sort, for: "--sort") == ["name"])
        let facets = ["facets", "--list=owners", path, ""]
        #expect(try offered(facets, for: "positional@1") == ["name"])
        // Without a list there is none, as without a target.
        #expect(try offered(["rows", path, "--sort", ""], for: "--sort") == [])
        #expect(try offered(["rows", "--list", ""], for: "--list") == [])
    }

    @Test func aNameThatAShellWouldExpandIsNotOffered() throws {
        let words = ["rows", try file(), "--list", "cars", "--sort", ""]
        #expect(try offered(words, for: "--sort") == ["make"])
    }

    @Test func aServerIsAskedAsBashSplitsItsAddress() throws {
        let daemon = try Daemon(file(), in: scratch)
        let port = try #require(daemon.address.split(separator: ":").last.map(String.init))
        let words = ["rows", "valet", ":", "//127.0.0.1", ":", port, "--list", ""]
        #expect(try offered(words, for: "--list") == ["owners", "cars"])
        try daemon.end()
        #expect(try offered(words, for: "--list") == [])
    }

    @Test(arguments: ["/bin/bash", "/usr/bin/bash"])
    func bashCompletesAList(bash: String) throws {
        guard FileManager.default.isExecutableFile(atPath: bash) else { return }
        let path = try file()
        let script = try scratch.write(
            try scratch.valet(["completions", "bash"], expecting: 0).text, to: "script")
        let program = Program.valet.path
        let line = """
            source '\(script)'
            COMP_WORDS=('\(program)' rows '\(path)' --list ow); COMP_CWORD=4
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _valet '\(program)' ow --list
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let done = try scratch.shell(line, bash)
        #expect(done.text == "owners\n", "\(done.message)")
    }
}
