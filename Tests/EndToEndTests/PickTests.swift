import TestSupport
import Testing

/// Rows that are picked on the full screen, with the answer in a pipe.
@Suite(.runsPrograms, .needsTmux) struct PickTests {
    private let scratch = Scratch()

    private func pick(
        _ keys: String..., expecting ending: String, standardInput: String = "/dev/tty",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let scratch = Scratch()
        let path = try scratch.database(table: "towns", csv: "name\nBern\nGenève\nZürich\n")
        let window = try TerminalWindow(
            "answer=$('\(Program.valet.path)' pick '\(path)' <\(standardInput)); code=$?; "
                + "echo \"picked [$answer] $code\"",
            in: scratch)
        try window.wait(for: "● live", "▌  Bern", sourceLocation: sourceLocation)
        for key in keys { try window.press(.key(key)) }
        let lines = try window.wait(for: "picked \(ending)", sourceLocation: sourceLocation)
        #expect(lines.first == "before", sourceLocation: sourceLocation)
        #expect(try window.answer("#{alternate_on}") == "0", sourceLocation: sourceLocation)
    }

    @Test func theRowThatIsOpenedIsTheAnswer() throws {
        try pick("Enter", expecting: "[1] 0")
        try pick("Down", "Down", "Enter", expecting: "[3] 0")
    }

    @Test func theKeyboardIsTheTerminals() throws {
        try pick("Down", "Enter", expecting: "[2] 0", standardInput: "/dev/null")
    }

    @Test(arguments: [["q"], ["Q"], ["Escape"], ["C-c", "C-c"]])
    func leavingPicksNothing(keys: [String]) throws {
        try pick(keys[0], keys.count > 1 ? keys[1] : "", expecting: "[] 130")
    }

    @Test func withoutATerminalNothingCanBePicked() throws {
        let path = try scratch.database(table: "towns", csv: "name\nBern\n")
        let done = try scratch.shell("setsid '\(Program.valet.path)' pick '\(path)' </dev/null")
        #expect(done.code == 2 && done.message.contains("the full screen needs a terminal"))
    }
}
