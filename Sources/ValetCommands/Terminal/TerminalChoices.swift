import Foundation

/// What the environment says of the terminal.
enum TerminalChoices {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    static var hasColors: Bool {
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    static var isASCII: Bool {
        !environment["VALET_ASCII", default: ""].isEmpty
    }
}
