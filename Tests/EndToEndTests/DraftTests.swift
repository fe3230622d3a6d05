import Foundation
import TestSupport
import Testing

/// Edits that outlive the program.
@Suite(.runsPrograms, .needsTmux) struct DraftTests {
    private let scratch = Scratch()

    /// As when its window is closed, or the machine is shut down.
    @Test(arguments: [SIGHUP, SIGTERM])
    func anEditThatIsNotSavedIsOfferedAtTheNextStart(signal: Int32) throws {
        let file = try scratch.database(
            table: "cars", csv: "name,town\nalpha 1000,Zürich\nbeta 1001,Bern\n")
        let (window, process) = try TerminalWindow.ofProcess(file, in: scratch)
        try window.press("e", shows: "Edit alpha 1000")
        try window.press("Tab", "C-u", .text("typed"), shows: "1 change")
        kill(process, signal)
        try window.wait(for: "code \(128 + signal)")
        let again = try TerminalWindow(valet: file, in: scratch)
        try again.wait(for: "Not saved last time: “alpha 1000 Zürich”. e on its row opens it")
        try again.press("e", shows: "typed", "1 change")
        try again.press("C-s", shows: "Saved “alpha 1000 typed”")
        try again.press("q", shows: "code 0")
        let (third, _) = try TerminalWindow.ofProcess(file, in: scratch)
        #expect(try !third.lines.contains { $0.contains("Not saved last time") })
    }
}
