import Foundation
import TestSupport
import Testing

/// A server's numbers as they go on.
@Suite(.runsPrograms) struct TopTests {
    private let scratch = Scratch()

    @Test(.needsTmux) func itFollowsTheServerAndItsReturn() throws {
        let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
        let first = try Daemon(file, in: scratch)
        let top = try TerminalWindow("'\(Program.valet.path)' top '\(first.address)'", in: scratch)
        try top.wait(for: "connected", " 1 of 10,000", "process")
        let other = try TerminalWindow(valet: first.address, in: scratch)
        try other.wait(for: "● live")
        try top.wait(for: " 2 of 10,000")
        try top.press("Space", shows: " paused", "space goes on")
        try top.press("Space")
        try top.wait(untilGone: "paused")

        try first.end()
        try top.wait(for: "the connection is lost; trying again")
        let again = try Daemon(file, listen: "127.0.0.1:\(first.port)", in: scratch)
        try top.wait(untilGone: "the connection is lost")
        try top.wait(for: " 2 of 10,000")
        try top.press("q", shows: "before", "code 0")
        try again.end()
    }

    @Test func withoutATerminalItSaysWhatElseThereIs() throws {
        let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
        try scratch.valet(["top", file], expecting: 2, prints: "", says: "valet stats")
    }
}
