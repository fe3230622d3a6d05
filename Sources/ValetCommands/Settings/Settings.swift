import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// What a person has chosen once for all commands: in the environment, else in `config.yaml`, else
/// what holds without a choice. Options of a command come before all of them.
struct Settings: Equatable {
    var station: String?
    var isASCII: Bool
    var color = ColorChoice.auto
    var hasMouse = true
    var keymap = Keymap()
    /// `TERM`: what kind of terminal it is.
    var terminal: String?
    /// `COLORTERM`: which colours it has beside those of its palette.
    var colorTerminal: String?
    private let noColor: Bool

    static func load() throws -> Settings {
        try Settings(environment: ProcessInfo.processInfo.environment)
    }

    static func file(in environment: [String: String]) -> String {
        UserFolder.config.path(in: environment) + "/config.yaml"
    }

    init(environment: [String: String]) throws {
        terminal = environment["TERM"]
        colorTerminal = environment["COLORTERM"]
        noColor = environment["NO_COLOR"]?.isEmpty == false
        isASCII = Self.isASCII(locale: environment)
        let file = Self.file(in: environment)
        if FileManager.default.fileExists(atPath: file) { try read(YAMLValue(file: file)) }
        try read(environment)
    }

    /// `auto` draws in colour where a terminal is known to have it, and nobody objects
    /// (https://no-color.org).
    var hasColors: Bool {
        switch color {
        case .auto: !noColor && terminal != "dumb"
        case .always: true
        case .never: false
        }
    }

    /// A locale that is set decides, and without one a terminal is taken to show UTF-8.
    private static func isASCII(locale environment: [String: String]) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        guard let name = names.first(where: { !$0.isEmpty }) else { return false }
        return name.lowercased().firstMatch(of: #/utf-?8/#) == nil
    }

    // MARK: The file

    private mutating func read(_ root: YAMLValue) throws(ValetError) {
        let fields = try root.fields(["station", "ascii", "color", "mouse", "keys"])
        if let value = fields["station"] {
            station = try value.text()
            if station?.isEmpty == true { throw value.error("must be a name") }
        }
        if let value = fields["ascii"] { isASCII = try value.boolean() }
        if let value = fields["color"] {
            color = try value.choice(ColorChoice.allCases.map { ($0.rawValue, $0) })
        }
        if let value = fields["mouse"] { hasMouse = try value.boolean() }
        if let value = fields["keys"] { keymap = Keymap(try Self.keys(value)) }
    }

    private static func keys(_ value: YAMLValue) throws(ValetError) -> [String: [Key]] {
        var chosen: [String: [Key]] = [:]
        var owners: [Key: String] = [:]
        for (name, value) in try value.pairs() where !value.isNothing {
            guard Keymap.commandNames.contains(name) else {
                throw value.error(
                    "there is no command called “\(name)”", for: name,
                    among: Keymap.commandNames)
            }
            for value in try value.oneOrSeveral(limit: 16, of: "keys of a command") {
                let key = try key(value)
                if let obstacle = Keymap.obstacle(to: key, for: name) {
                    throw value.error(obstacle)
                }
                if let owner = owners[key] {
                    throw value.error("“\(try value.text())” is a key of \(owner) already")
                }
                owners[key] = name
                chosen[name, default: []].append(key)
            }
        }
        return chosen
    }

    private static func key(_ value: YAMLValue) throws(ValetError) -> Key {
        guard let key = Key(name: try value.text()) else {
            throw value.error(
                "“\(try value.text())” is no key: write a character, or a name such as ^N, f5, "
                    + "enter, pgdn or shift-left")
        }
        return key
    }

    // MARK: The environment

    private mutating func read(_ environment: [String: String]) throws {
        func chosen(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        func isOn(_ name: String) -> Bool? {
            chosen(name).map { !["0", "no", "off", "false"].contains($0.lowercased()) }
        }
        if let name = chosen("VALET_STATION") { station = name }
        if let isOn = isOn("VALET_ASCII") { isASCII = isOn }
        if let isOn = isOn("VALET_MOUSE") { hasMouse = isOn }
        if let word = chosen("VALET_COLOR") {
            guard let choice = ColorChoice(rawValue: word) else {
                throw CommandFailure(
                    .usage, "VALET_COLOR must be auto, always or never, not “\(word)”")
            }
            color = choice
        }
    }
}

/// What a person may choose for one screen.
struct ScreenOptions: ParsableArguments {
    @Option(help: "auto, always or never; auto heeds NO_COLOR and TERM.")
    var color: ColorChoice?

    func settings() throws -> Settings {
        var settings = try Settings.load()
        if let color { settings.color = color }
        return settings
    }
}

enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}
