import Foundation

/// What the environment says of the terminal.
enum TerminalChoices {
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }

    static var isASCII: Bool {
        !(value("VALET_ASCII") ?? "").isEmpty
    }
}
