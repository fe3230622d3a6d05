import TestSupport
import Testing
import ValetModel
import ValetTerminal

@testable import ValetCommands

struct SettingsTests {
    private let folder = TemporaryFolder()

    /// The settings with this file, and these variables.
    private func settings(
        _ yaml: String = "", _ variables: [String: String] = [:]
    ) throws -> Settings {
        folder.write(yaml, to: "valet/config.yaml")
        var environment = ["XDG_CONFIG_HOME": folder.path, "HOME": "/nowhere"]
        environment.merge(variables) { $1 }
        return try Settings(environment: environment)
    }

    @Test func theFileIsReadAndTheEnvironmentComesBeforeIt() throws {
        let yaml = "station: ana\nascii: true\ncolor: never\nmouse: off"
        let ofFile = try settings(yaml)
        #expect(ofFile.station == "ana" && ofFile.isASCII && !ofFile.hasMouse)
        #expect(ofFile.color == .never)
        let environment = [
            "VALET_STATION": "bo", "VALET_ASCII": "0", "VALET_COLOR": "always", "VALET_MOUSE": "1",
        ]
        let both = try settings(yaml, environment)
        #expect(both.station == "bo" && !both.isASCII && both.hasMouse && both.color == .always)
        // An empty variable is none.
        let empty = ["VALET_STATION": "", "VALET_ASCII": "", "VALET_COLOR": "", "VALET_MOUSE": ""]
        #expect(try settings(yaml, empty) == ofFile)
        #expect(throws: CommandFailure.self) { _ = try settings("", ["VALET_COLOR": "red"]) }
    }

    @Test func withoutAFileAllIsAsItIs() throws {
        let none = try Settings(environment: ["HOME": folder.path])
        #expect(none.station == nil && !none.isASCII && none.hasMouse && none.color == .auto)
        #expect(none.keymap == Keymap())
    }

    @Test(
        arguments: [
            ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
            (["TERM": "dumb"], false), (["TERM": "xterm"], true),
            (["NO_COLOR": "1", "VALET_COLOR": "always"], true), (["VALET_COLOR": "never"], false),
        ] as [([String: String], Bool)])
    func coloursAreWhereNobodyObjects(variables: [String: String], hasColors: Bool) throws {
        #expect(try settings("", variables).hasColors == hasColors)
    }

    @Test(
        arguments: [
            ([:], false), (["LANG": "C.UTF-8"], false), (["LANG": "de_CH.utf8"], false),
            (["LANG": "C"], true), (["LANG": "en_US.ISO-8859-1"], true),
            (["LANG": "C.UTF-8", "LC_CTYPE": "C"], true),
            (["LANG": "C", "LC_CTYPE": "en_GB.UTF-8"], false),
            (["LC_CTYPE": "C.UTF-8", "LC_ALL": "POSIX"], true),
            (["LC_ALL": "", "LANG": ""], false),
            (["LANG": "C", "VALET_ASCII": "0"], false),
        ] as [([String: String], Bool)])
    func aLocaleWithoutUTF8HasTheASCIIForms(variables: [String: String], isASCII: Bool) throws {
        #expect(try settings("", variables).isASCII == isASCII)
    }

    @Test func keysAreChosen() throws {
        let chosen = try settings("keys: {search: [t, ^F], down: n, redraw: f5}").keymap
        #expect(
            chosen
                == Keymap([
                    "search": [.character("t"), .control("f")], "down": [.character("n")],
                    "redraw": [.function(5)],
                ]))
    }

    @Test(arguments: [
        (
            "colour: never",
            "line 1: colour: is not a known key; perhaps “color” is meant. There are: station"
        ),
        ("\ncolour:\n\n  never", "line 2: colour: is not a known key"),
        ("\ncolor: red", "line 2: color: “red” is not a known word. There are: auto"),
        ("ascii: perhaps", "line 1: ascii: must be true or false, not “perhaps”"),
        ("mouse: []", "line 1: mouse: must be true or false"),
        ("station: \"\"", "line 1: station: must be a name"),
        ("keys: [j]", "line 1: keys: must be keys and values"),
        (
            "keys:\n  fly: j",
            "line 2: keys.fly: there is no command called “fly”. There are: search"
        ),
        (
            "keys:\n  sorting: j",
            "line 2: keys.sorting: there is no command called “sorting”; perhaps “sort” is meant"
        ),
        ("keys:\n  search: jj", "line 2: keys.search: “jj” is no key"),
        (
            "keys:\n  search: j\n  undo: [n, j]",
            "line 3: keys.undo[1]: “j” is a key of search already"
        ),
        ("keys: {search: [j, j]}", "line 1: keys.search[1]: “j” is a key of search already"),
        ("keys: {search: ^C}", "line 1: keys.search: ^C always cancels"),
        ("keys: {redraw: l}", "line 1: keys.redraw: redraw works while you type"),
        ("station: &a b", "line 1: anchors (&) are not supported"),
    ])
    func aMistakeIsSaidWithItsLine(yaml: String, message: String) throws {
        let mistake = #expect(throws: (any Error).self) { try settings(yaml) }
        let said = mistake.map { "\($0)" } ?? ""
        #expect(said.contains("valet/config.yaml”, " + message), "\(said)")
    }
}
