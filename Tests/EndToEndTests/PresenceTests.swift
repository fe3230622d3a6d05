import Foundation
import TestSupport
import Testing

/// Who else is in a list, in terminals and for scripts.
@Suite(.runsPrograms) struct PresenceTests {
    private let scratch = Scratch()

    private static let csv = "name\n" + (0..<50).map { "alpha \(1_000 + $0)\n" }.joined()

    @Test(.needsTmux) func oneTerminalShowsWhereTheOtherIs() throws {
        let daemon = try Daemon(try scratch.database(table: "cars", csv: Self.csv), in: scratch)
        let one = try TerminalWindow(valet: daemon.address, "--as ana", in: scratch)
        try one.wait(for: "● live", " 1 of 50")
        let two = try TerminalWindow(valet: daemon.address, "--as bo", in: scratch)
        try two.wait(for: "● live", " 1 of 50", "  ana")
        try one.wait(for: "● live", "  bo", "●bo")
        try two.press("Down", "Down")
        _ = try eventually("bo is on the third row") {
            try one.lines.first { $0.contains("alpha 1002") && $0.contains("●bo") }
        }
        try two.press("e")
        try one.wait(for: "●bo editing")
        let who = try scratch.valet(["who", daemon.address, "--as", "zoe", "--format", "jsonl"])
        #expect(who.code == 0 && who.message == "")
        #expect(
            Set(who.lines) == [
                #"{"station": "ana", "id": 1, "activity": "looks"}"#,
                #"{"station": "bo", "id": 3, "activity": "edits"}"#,
            ])
        try one.press("p", shows: "Who is here", " edits “alpha 1002”")
        try one.press("Enter", shows: " 3 of 50")
        try two.press("Escape", shows: " 3 of 50")
        try two.press("q", shows: "code 0")
        try one.wait(untilGone: "bo")
    }

    @Test(.needsTmux) func aStationIsNamedByItsFlagElseByItsVariable() throws {
        let daemon = try Daemon(try scratch.database(table: "cars", csv: Self.csv), in: scratch)
        let program = "'\(Program.valet.path)' '\(daemon.address)'"
        let ana = try TerminalWindow("VALET_STATION=ana \(program)", in: scratch)
        let bo = try TerminalWindow("VALET_STATION=ana \(program) --as bo", in: scratch)
        try ana.wait(for: "● live", "  bo", "●bo")
        try bo.wait(for: "● live", "  ana", "●ana")
        let who = try scratch.valet(["who", daemon.address, "--format", "jsonl"])
        #expect(
            Set(who.lines) == [
                #"{"station": "ana", "id": 1, "activity": "looks"}"#,
                #"{"station": "bo", "id": 1, "activity": "looks"}"#,
            ])
    }

    @Test func aTerminalThatIsAloneShowsNobody() throws {
        let database = try scratch.database(table: "cars", csv: Self.csv)
        let who = try scratch.valet(["who", database, "--format", "json"])
        #expect(who.code == 0 && who.text == "[]\n" && who.message == "")
        try scratch.valet(["who", database, "--list", "x"], expecting: 3, prints: "")
    }
}
