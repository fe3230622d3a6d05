import Foundation

/// Settings for the terminal from the environment.
enum TerminalChoices {
    static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name]
    }

    static var isASCII: Bool {
        !(value("VALET_ASCII") ?? "").isEmpty
    }
}
