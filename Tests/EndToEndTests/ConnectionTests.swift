import Foundation
import TestSupport
import Testing

/// The full screen while its server is slow, or gone.
@Suite(.runsPrograms, .needsTmux) struct ConnectionTests {
    private let scratch = Scratch()

    /// The server takes the connection, and not a byte of it, until it goes on.
    @Test func noKeyWaitsForTheServer() throws {
        let daemon = try Daemon(try scratch.cars(), in: scratch)
        daemon.pause()
        let window = try TerminalWindow(valet: daemon.address, in: scratch)
        try window.wait(for: "◌ connecting", "   ░░░░░░░░░", "? help")
        try window.press("?", shows: " Keys", "open the list")
        try window.press("Escape")
        try window.wait(untilGone: "open the list")
        try window.press("G")
        daemon.goOn()
        try window.wait(for: "● live", "▌  gamma 1299", " 300 of 300")
        daemon.pause()
        try window.press(.text("/\"beta 11\""), "Enter", "Down", "e", shows: "/  \"beta 11\" ✕ ")
        daemon.goOn()
        try window.wait(for: "Edit beta 1103")
        try window.press("Escape", shows: "▌  beta 1103", "34 of 300", " 2 of 34")
    }

    @Test func aBurstOfKeysIsOneFrame() throws {
        let path = try scratch.cars()
        let (window, client) = try TerminalWindow.ofProcess(path, in: scratch)
        let bytes = scratch.path("bytes")
        try window.record(to: bytes)
        kill(client, SIGSTOP)
        try window.press(.text(String(repeating: "j", count: 15)))
        kill(client, SIGCONT)
        try window.wait(for: " 16 of 300")
        let written = try eventually("the frame is recorded") {
            let text = scratch.bytes(of: "bytes").map { String(decoding: $0, as: UTF8.self) }
            return text?.contains("16") == true ? text : nil
        }
        // Each frame puts the cursor's sign on another row.
        let frames = written.count { $0 == "▌" }
        #expect((1...3).contains(frames), "\(written.debugDescription)")
    }

    @Test func aTerminalComesBackToItsPlaceWhenTheServerDoesAndItsEditIsMade() throws {
        // Columns that follow what is shown have one width if all names do.
        let database = try scratch.cars(of: ["alpha", "betas", "gamma"])
        let daemon = try Daemon(database, in: scratch)
        // The file has Valet's tables, which say after a restart that its rows have their ids.
        try scratch.valet(["set", daemon.address, "1", "town=Bern"], expecting: 0)
        let window = try TerminalWindow(valet: daemon.address, in: scratch)
        try window.wait(for: "● live", " 1 of 300")
        let before = try window.press(
            .text(":150"), "Enter", "Down", shows: " 151 of 300", "● live", "── B ", "betas 1175")
        try window.press(
            "e", "Tab", "C-u", .text("Lugano"), shows: "Edit betas 1151", "• town  Lugano")
        try daemon.end(SIGKILL)
        try window.wait(for: "offline", " Connection lost")
        let cut = try window.press("C-s", shows: " · 1 waiting", "▌… betas 1151", "Lugano")
        #expect(cut.contains { $0.contains("betas 1175") })
        // What was seen can still be looked at.
        try window.press("Down", "Up", shows: "▌… betas 1151")
        let again = try Daemon(database, listen: "127.0.0.1:\(daemon.port)", in: scratch)
        try window.press("r", shows: "● live", "▌  betas 1151", "Lugano")
        try scratch.valet(["get", again.address, "152"], shows: "Lugano")
        // Once a moment has passed the rows are fresh; the cursor moves on from its place.
        let after = try window.press(
            "Down", "Up", shows: " 151 of 300", "● live", "── B ", "betas 1175")
        func others(_ lines: [String]) -> [String] {
            steady(lines).filter { !$0.contains("betas 1151") }
        }
        #expect(others(after) == others(before))
        try again.end()
    }
}
