import ArgumentParser
import Testing
import ValetModel

@testable import ValetCommands

private func ending(
    _ error: any Error, isJSON: Bool = false, isTerminal: Bool = false
) -> CommandRunner.Ending {
    CommandRunner.Ending(error, of: ValetCommand.self, isJSON: isJSON, isTerminal: isTerminal)
}

@Test(
    arguments: [
        (ErrorCode.malformed, 1), (.unsupportedVersion, 1), (.unknownKind, 1), (.limitExceeded, 5),
        (.unexpected, 1), (.unknownList, 3), (.unknownGrouping, 3), (.unknownScope, 3),
        (.unknownColumn, 3), (.unknownView, 3), (.unknownRow, 3), (.unknownSection, 3),
        (.invalidCondition, 5),
        (.superseded, 1), (.listUnavailable, 1), (.storageFailed, 1), (.shuttingDown, 6),
        (.tooManyClients, 6), (.timedOut, 6), (.notAllowed, 7),
        (.overBudget, 1), (.expired, 1), (.readOnly, 7), (.busy, 6),
        (.catalogChanged, 4), (.outcomeUnknown, 1), (.unauthenticated, 7),
    ] as [(ErrorCode, Int32)])
func everyErrorHasItsExitCode(code: ErrorCode, exit: Int32) {
    let ending = ending(ValetError(code, "no"))
    #expect(ending.code == exit)
    #expect(ending.output == "")
    #expect(ending.words == "valet: no\n")
}

@Test func noErrorCodeIsForgotten() {
    #expect(ErrorCode.allCases.count == 27, "as many as are listed above")
}

@Test(
    arguments: [
        (ReaderHasGone(), 0), (CancellationError(), 130), (ExitCode(143), 143),
    ] as [(any Error, Int32)])
func someEndingsSayNothing(error: any Error, code: Int32) {
    let ending = ending(error, isJSON: true)
    #expect(ending.code == code)
    #expect(ending.output == "")
    #expect(ending.words == "")
}

@Test func theErrorSaysWhatThereIsInstead() {
    let failure = CommandFailure(.usage, "which one", alternatives: ["a", "b"])
    let ending = CommandRunner.Ending(failure, of: ValetdCommand.self, isJSON: false)
    #expect(ending.code == 2)
    #expect(ending.words == "valetd: which one. There are: a, b\n")
}

@Test func namesInAnErrorCannotSteerTheTerminal() {
    let error = ValetError(.unknownList, "no \u{1B}[2J", alternatives: ["\u{9B}1m"])
    let plain = ending(error)
    #expect(plain.words == "valet: no ␛[2J. There are: \u{FFFD}1m\n")
    let json = ending(error, isJSON: true)
    #expect(
        json.words == #"{"error": {"code": "unknown-list", "message": "#
            + #""no \u001b[2J. There are: \u009b1m"}}"# + "\n")
}

@Test(arguments: [
    ("année = abc", "  année = abc\n          ^^^\n"), ("漢 = x", "  漢 = x\n  ^^\n"),
    ("année =", "  année =\n         ^\n"),
    ("a\u{1B}[2J = 1", "  a␛[2J = 1\n  ^^^^^\n"),
    ("année = " + String(repeating: "x", count: 100), ""),
])
func aPersonSeesWhereAConditionIsWrong(text: String, picture: String) throws {
    let reader = ConditionReader(columns: [ColumnDescription(name: "année", type: .integer)])
    let error = try #require(throws: ConditionError.self) { try reader.condition(text) }
    let failure = ConditionFailure(text: text, error: error)
    func words(_ isJSON: Bool, _ isTerminal: Bool) -> String {
        ending(failure, isJSON: isJSON, isTerminal: isTerminal).words
    }
    #expect(words(false, true) == words(false, false) + picture)
    #expect(words(false, false).hasPrefix("valet: "))
    #expect(words(true, true) == words(true, false) && words(true, true).hasPrefix("{"))
    #expect(ending(failure).code == (error.code == .unknownColumn ? 3 : 5))
}

/// As `--where` too often, and `--search` too long.
@Test func aConditionThatIsTooLongIsAUsageError() throws {
    let values = String(repeating: "1,", count: Limits.valuesPerCondition) + "1"
    let reader = ConditionReader(columns: [ColumnDescription(name: "year", type: .integer)])
    let error = try #require(throws: ConditionError.self) { try reader.condition("year=" + values) }
    let failure = ConditionFailure(text: "year=" + values, error: error)
    for isJSON in [false, true] {
        let ending = ending(failure, isJSON: isJSON)
        #expect(ending.code == 2 && ending.words.contains("at most 1024 values"))
        #expect(ending.words.contains(#""code": "usage""#) == isJSON)
    }
}

@Test func helpIsNoErrorAndGoesToStandardOutput() async throws {
    let error = try await #require(throws: (any Error).self) {
        var help = try await ValetCommand.asyncParseAsRoot(["--help"])
        try help.run()
    }
    let ending = ending(error)
    #expect(ending.code == 0)
    #expect(ending.output.contains("SUBCOMMANDS:"))
    #expect(ending.words == "")
}

@Test(arguments: [
    ["rows"], ["rows", "a", "--at", "-1"], ["rows", "a", "--count", "x"], ["frobnicate", "a", "b"],
    ["rows", "a", "--scope", "b"], ["rows", "a", "--descending"], ["index", "a", "--most", "0"],
    ["get", "a"], ["get", "a", "x"], ["snapshot", "a", "--size", "80"],
    ["snapshot", "a", "--size", "0x0"], ["snapshot", "a", "--size", "501x24"],
    ["rows", "a", "--section", "b", "--section-ordinal", "0"],
    ["rows", "a", "--section-ordinal", "-1"],
    ["snapshot", "a", "--text", "--svg"], ["snapshot", "a", "--keys", "^NN"],
    ["lists", "a", "--format", "xml"], ["import", "-", "b"],
    ["rows", "a"] + Array(repeating: "--where=a=1", count: Limits.conditionsPerQuery + 1),
    ["rows", "a", "--search", String(repeating: "x", count: Limits.bytesPerSearch + 1)],
])
func aMisunderstoodCommandLineIsAUsageError(arguments: [String]) async throws {
    let error = try await #require(throws: (any Error).self) {
        try await ValetCommand.asyncParseAsRoot(arguments)
    }
    let words = ending(error)
    #expect(words.code == 2)
    #expect(words.output == "")
    #expect(words.words.contains("Error: "))
    let json = ending(error, isJSON: true)
    #expect(json.code == 2)
    #expect(json.words.hasPrefix(#"{"error": {"code": "usage", "message": ""#))
    #expect(json.words.split(separator: "\n").count == 1)
}

@Test(arguments: [
    (["rows", "--format", "json"], true), (["rows", "--format=json"], true),
    (["rows", "--format", "jsonl"], false), (["rows", "json"], false), ([], false),
    (["get", "--", "--format", "json"], false),
])
func errorsAreJSONWhenDataIs(arguments: [String], isJSON: Bool) {
    #expect(CommandRunner.wantsJSON(arguments) == isJSON)
}

@Test(arguments: [
    "--search=", "--search=\u{301}e", "--search=a=b", "--search=--y", "--search=-\u{301}",
])
func anOptionsValueStandsBehindTheSign(option: String) async throws {
    let arguments = CommandRunner.separatingValues(["count", "F", option, "--scope=Any"])
    let count = try #require(
        try await ValetCommand.asyncParseAsRoot(arguments) as? CountCommand)
    let value = String(String.UnicodeScalarView(option.unicodeScalars.dropFirst(9)))
    #expect(count.query.search.search?.utf8.elementsEqual(value.utf8) == true)
    #expect(count.query.search.scope == "Any")
}

@Test func anArgumentBehindTheTerminatorIsNoOption() {
    let arguments = ["get", "--list=", "--", "--search="]
    #expect(CommandRunner.separatingValues(arguments) == ["get", "--list", "", "--", "--search="])
}

@Test(arguments: [
    ["lists", "a", "--format", "\u{1B}[31m"], ["lists", "a", "--\u{9B}1m"],
    ["index", "a", "\u{7}"],
])
func aMisunderstoodArgumentCannotSteerTheTerminal(arguments: [String]) async {
    for format in [[], ["--format", "json"]] {
        let ending = await CommandRunner.end(of: ValetCommand.self, arguments: arguments + format)
        #expect(ending.code == 2)
        #expect(
            !ending.words.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
            })
    }
}

@Test func valuesMayBeginWithADash() async throws {
    let rows = try #require(
        try await ValetCommand.asyncParseAsRoot(["rows", "a", "--search", "-x", "--section", "--y"])
            as? RowsCommand)
    #expect(rows.query.search.search == "-x")
    #expect(rows.section == "--y")
    let get = try #require(
        try await ValetCommand.asyncParseAsRoot(["get", "a", "--", "-5"]) as? GetCommand)
    #expect(get.id == -5)
}
