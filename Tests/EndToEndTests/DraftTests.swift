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
        try window.type("e")
        try window.wait(for: "Edit alpha 1000")
        try window.press("Tab", "C-u")
        try window.type("typed")
        try window.wait(for: "1 change")
        kill(process, signal)
        try window.wait(for: "code \(128 + signal)")
        let again = try TerminalWindow(valet: file, in: scratch)
        try again.wait(for: "Not saved last time: “alpha 1000 Zürich”. e on its row opens it")
        try again.type("e")
        try again.wait(for: "typed", "1 change")
        try again.press("C-s")
        try again.wait(for: "Saved “alpha 1000 typed”")
        try again.type("q")
        try again.wait(for: "code 0")
        let (third, _) = try TerminalWindow.ofProcess(file, in: scratch)
        #expect(try !third.lines.contains { $0.contains("Not saved last time") })
    }
}
