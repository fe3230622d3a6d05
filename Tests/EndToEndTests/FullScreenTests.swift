import Foundation
import TestSupport
import Testing

/// The full screen in real terminals.
@Suite(.runsPrograms, .needsTmux) struct FullScreenTests {
    private let scratch = Scratch()
    private static let towns = ["Zürich", "Bern", "Genève", "Łódź"]

    private func cars() throws -> String { try scratch.cars(in: Self.towns) }

    private func open(
        _ target: String, columns: Int = 80, rows: Int = 24
    ) throws -> TerminalWindow {
        try TerminalWindow(valet: target, columns: columns, rows: rows, in: scratch)
    }

    @Test func twoTerminalsGoTheirOwnWays() throws {
        let daemon = try Daemon(try cars(), in: scratch)
        let one = try open(daemon.address)
        let two = try open(daemon.address, columns: 100, rows: 20)
        for window in [one, two] { try window.wait(for: "● live", "alpha 1000", " 1 of 300") }
        try one.press("End", shows: "gamma 1299", " 300 of 300")
        try two.press("2")
        // The cursor stays on its row, which is at another place now.
        try two.wait(for: "[town]", "── Zürich ", "alpha 1012", " 151 of 300")
        try one.wait(for: "[A–Z]", " 300 of 300")
        try one.press(.text("/zurich"), shows: "75 of 300", " 1 of 75", "Zürich")
        try two.press("Down", "Down", shows: " 153 of 300")
        try two.press(.text("/\"GAMMA 12\""), shows: "34 of 300", " 1 of 34")
        try one.press("Enter", "Down", shows: "75 of 300", " 2 of 75")
        // The search is left, and the row that it found is not.
        try one.press("Escape", shows: "▌  alpha 1012", " 5 of 300")
        try two.wait(for: "34 of 300", " 1 of 34")
    }

    @Test func aTerminalSeesTheChangesOfAnother() throws {
        // A column is as wide as its label, too.
        let path = try scratch.cars(in: Self.towns, name: "the name of this car")
        let daemon = try Daemon(path, in: scratch)
        let one = try open(daemon.address)
        let two = try open(daemon.address)
        for window in [one, two] { try window.wait(for: "● live", "alpha 1000", " 1 of 300") }
        // A row becomes another, and goes to its place; nobody presses a key at the other.
        try one.press("Down", "e", shows: "Edit alpha 1003", "town", "Łódź")
        try one.press(
            "C-u", .text("alpha 1000 and more"), "C-s", shows: "▌  alpha 1000 and more", "Saved")
        try two.wait(for: "alpha 1000 and more", "▌  alpha 1000")
        // Both have the same row in hand.
        try two.press("Down", "e", shows: "Edit alpha 1000 and more", "alpha")
        try two.press("End", "?")
        try one.press("e", shows: "Edit alpha 1000 and more", "editing this row, too")
        try one.press("End", "!", "C-s", shows: "Saved")
        try two.wait(for: "saved meanwhile", "now “alpha 1000 and more!”")
        try two.press("C-s", shows: "Someone changed this row", "1 keep mine")
        try two.press("1", shows: "Saved", "alpha 1000 and more?")
        try one.wait(for: "alpha 1000 and more?")
        // A row that comes and goes.
        try one.press("+", shows: "New row")
        try one.press(.text("aaa"), "C-s", shows: " 301", "Added")
        try two.wait(for: " 301")
        try two.press("Home", shows: "▌  aaa")
        try one.press(.text("dy"))
        try two.wait(for: " 300")
        try one.wait(for: " 300", "Deleted")
        try one.press("u", shows: " 301", "Undone: deletion of “aaa”")
        try two.wait(for: " 301", "aaa")
    }

    @Test func aRowIsMovedByHandBeforeEverybodysEyes() throws {
        let daemon = try Daemon(
            try scratch.blocks(), catalog: try scratch.blockCatalog(), in: scratch)
        let one = try open(daemon.address)
        let two = try open(daemon.address)
        for window in [one, two] { try window.wait(for: "● live", "▌  a", " 1 of 4") }
        func names(_ window: TerminalWindow) throws -> String {
            try window.lines.dropFirst(2).compactMap { line in
                line.firstMatch(of: #/^.. ([a-d]) /#).map { String($0.1) }
            }.joined()
        }
        func wait(_ window: TerminalWindow, _ order: String) throws {
            try eventually(order) { try names(window) == order }
        }
        try wait(two, "abcd")
        try one.press("m", "Down", "Down", shows: "Moving “a”")
        try wait(one, "bcad")
        #expect(try names(two) == "abcd")
        try one.press("Enter")
        try wait(two, "bcad")
        try one.wait(for: "Moved “a”", "▌  a")
        try wait(one, "bcad")
        try two.press("m", "End", "Escape")
        try wait(two, "bcad")
        try one.press("u", shows: "Undone: move of “a”")
        try wait(two, "abcd")
        // Into another section.
        try one.press("2", shows: "[Colour]", "── blue ")
        try wait(one, "bdac")
        try one.press("g", "m", "Down", "Down", "Enter", shows: "Moved “b”")
        try wait(one, "dbac")
        try wait(two, "bacd")
    }

    @Test(
        arguments: [
            (["Q"], 0), (["q"], 0), (["C-c", "C-c"], 130), (["/", "a", "C-c", "C-c", "C-c"], 130),
        ] as [([String], Int)])
    func keysQuitAndTheTerminalIsAsItWas(keys: [String], code: Int) throws {
        let window = try open(try cars())
        try window.wait(for: "● live", " 1 of 300")
        #expect(try window.answer("#{alternate_on} #{mouse_any_flag}") == "1 1")
        for key in keys { try window.press(.key(key)) }
        try expectRestored(window, code: code)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func aSignalQuitsAndTheTerminalIsAsItWas(signal: Int32) throws {
        let path = try cars()
        let (window, client) = try TerminalWindow.ofProcess(path, in: scratch)
        kill(client, signal)
        try expectRestored(window, code: 128 + Int(signal))
    }

    private func expectRestored(_ window: TerminalWindow, code: Int) throws {
        let lines = try window.wait(for: "code \(code)")
        #expect(lines.first == "before")
        #expect(lines.count { !$0.isEmpty } == 2)
        #expect(try window.answer("#{alternate_on} #{mouse_any_flag}") == "0 0")
        #expect(try window.answer("#{cursor_flag}") == "1")
        // Echo and line editing are back.
        try window.press(.text("typed"), shows: "typed")
    }

    @Test func anErrorIsSaidOnTheRestoredScreen() throws {
        let window = try open(scratch.path("missing.sqlite"))
        let lines = try window.wait(for: "code 3")
        #expect(lines[1].hasPrefix("valet: there is no file"))
        #expect(try window.answer("#{alternate_on}") == "0")
    }

    @Test func aSuspendedClientComesBack() throws {
        let path = try cars()
        let window = try TerminalWindow(
            "bash --norc -i -c 'set -m; \(Program.valet.path) \(path); echo stopped; fg; true'",
            in: scratch)
        try window.wait(for: "● live", " 1 of 300")
        try window.press("Down", shows: " 2 of 300")
        try window.press("C-z", shows: " 2 of 300", "● live")
        try window.press("Down", shows: " 3 of 300")
        try window.press("q", shows: "stopped", "code 0")
    }

    @Test(arguments: [(80, 24), (40, 8), (39, 7), (200, 60), (20, 3)])
    func aPictureIsWhatATerminalShows(columns: Int, rows: Int) throws {
        let path = try cars()
        let window = try open(path, columns: columns, rows: rows)
        try window.wait(for: "alpha 10")
        try window.press("End", "Up", shows: "gamma 12")
        try window.wait(forPictureOf: path, columns: columns, rows: rows, "--keys", "end,up")
    }

    @Test func aResizedTerminalIsDrawnAnew() throws {
        let path = try cars()
        let window = try open(path)
        try window.wait(for: "● live", " 1 of 300")
        for (columns, rows) in [(40, 8), (200, 60), (60, 10), (80, 24)] {
            try window.resize(columns: columns, rows: rows)
            try window.wait(forPictureOf: path, columns: columns, rows: rows)
        }
    }

    @Test func rowsCannotSteerTheTerminal() throws {
        let mark = "\u{1B}]52;c;SEVM\u{7}\u{1B}[35mpink\u{9B}35mpink"
        let path = try scratch.database(
            table: "ev\u{1B}[35mil", csv: "name\u{1B}[35m,b\n\"\(mark)\",\"\(mark)\"\nb,c\n")
        let written = try bytes(of: "'\(Program.valet.path)' '\(path)'") { window in
            try window.wait(for: "● live", "pink")
            try window.press("Down", "Enter", shows: "2 of 2", "pink")
            try window.press("q", "q", shows: "code 0")
        }
        #expect(written.contains("pink"))
        for part in ["\u{1B}]52", "\u{1B}[35m", "\u{9B}", "\u{7}"] {
            #expect(!written.contains(part))
        }
    }

    @Test func aListThatIsNotThereEndsWithTheNames() throws {
        let path = try cars()
        let window = try TerminalWindow(valet: path, "--list boats", in: scratch)
        // On the screen as it was before.
        try window.wait(
            for: "before", "valet: no list is called “boats”. There are: cars", "code 3")
        try scratch.valet(["snapshot", path, "--list", "boats"], expecting: 3)
    }

    @Test(arguments: ["--group", "--sort", "--search=a --scope"])
    func aQueryThatIsWrongEndsWithTheNames(option: String) throws {
        let path = try cars()
        let window = try TerminalWindow(valet: path, "\(option) nope", columns: 120, in: scratch)
        try window.wait(for: "before", "“nope”. There are: ", "code 3")
        let picture = try scratch.valet(
            ["snapshot", path] + option.split(separator: " ").map(String.init) + ["nope"])
        #expect(picture.code == 3 && picture.message.contains("“nope”. There are: "))
    }

    @Test func aTerminalThatCannotMoveItsCursorIsRefused() throws {
        let path = try cars()
        let window = try TerminalWindow(
            "TERM=dumb '\(Program.valet.path)' '\(path)'", columns: 200, in: scratch)
        try window.wait(for: "TERM is dumb; rows, sections and get print", "code 2")
    }

    @Test func theConfigurationIsHeeded() throws {
        let path = try cars()
        try FileManager.default.createDirectory(
            atPath: scratch.path("config/valet"), withIntermediateDirectories: true)
        func write(_ yaml: String) throws {
            try scratch.write(yaml, to: "config/valet/config.yaml")
        }
        try write("ascii: true\nmouse: false\nkeys: {down: t, quit: Z}\n")
        let program = "XDG_CONFIG_HOME='\(scratch.path("config"))' '\(Program.valet.path)'"
        let window = try TerminalWindow("\(program) '\(path)'", in: scratch)
        try window.wait(for: "* live", " 1 of 300")
        #expect(try window.answer("#{mouse_any_flag}") == "0")
        try window.press(.text("jt"), shows: " 2 of 300")
        try window.press("Z", shows: "code 0")
        try write("ascii: true\nkeys:\n  down: j\n  up: j\n")
        let wrong = try TerminalWindow("\(program) '\(path)'", columns: 200, in: scratch)
        try wrong.wait(for: "config.yaml”, line 4: keys.up: “j” is a key of down", "code 1")
    }

    /// All that the terminal is sent, from the first byte until `act` has ended the command.
    private func bytes(
        of command: String, _ act: (TerminalWindow) throws -> Void
    ) throws -> String {
        let bytes = scratch.path("bytes")
        let window = try TerminalWindow(
            "until [ -e '\(bytes)' ]; do sleep 0.02; done; \(command)", in: scratch)
        try window.record(to: bytes)
        try act(window)
        return String(decoding: try Data(contentsOf: URL(filePath: bytes)), as: UTF8.self)
    }

    /// The same of the cars, until `q`.
    private func bytes(setting variable: String, _ options: String = "") throws -> String {
        try bytes(of: "\(variable) '\(Program.valet.path)' '\(cars())' \(options)") { window in
            try window.wait(for: " live", " 1 of 300")
            try window.press("q", shows: "code 0")
        }
    }

    @Test(arguments: [("always", "never"), ("never", "always")])
    func aFlagComesBeforeItsVariable(variable: String, flag: String) throws {
        let written = try bytes(setting: "VALET_COLOR=\(variable)", "--color \(flag)")
        #expect(written.contains("\u{1B}[32m") == (flag == "always"))
    }

    @Test(arguments: ["VALET_ASCII=1", "LC_ALL=C", "NO_COLOR=1", "VALET_COLOR=never"])
    func theEnvironmentIsHeeded(setting: String) throws {
        let written = try bytes(setting: setting)
        if !setting.contains("COLOR") {
            #expect(written.contains("* live"))
            #expect(!written.contains("●"))
        } else {
            #expect(written.contains("● live"))
            #expect(!written.contains("\u{1B}[32m"))
        }
    }

    /// Its window is closed, or the machine is shut down.
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
