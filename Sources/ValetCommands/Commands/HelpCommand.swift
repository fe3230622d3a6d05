import ArgumentParser
import Foundation
import ValetModel

/// The articles of the documentation, which are built in.
enum HelpTopic: String, CaseIterable {
    case terminal, scripts, conditions, catalog, dates, refresh, configuration, operations
    case architecture

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Markdown.
    var article: String { String(decoding: bytes, as: UTF8.self) }

    /// What stands between the first fences of the article.
    var block: String {
        article.split(separator: "```").dropFirst().first.map(String.init) ?? ""
    }

    /// The rows of the article's tables of two columns, without their headings.
    var tableRows: [(term: String, text: String)] {
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") }
        return rows.compactMap { row in
            let plain = row.dropFirst(2).dropLast(2).replacing("`", with: "")
            let cells = plain.split(separator: " | ").map(String.init)
            guard cells.count == 2, cells[1] != "does" else { return nil }
            return (cells[0], cells[1])
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .terminal: PackageResources.Terminal_md
        case .scripts: PackageResources.Scripts_md
        case .conditions: PackageResources.Conditions_md
        case .catalog: PackageResources.Catalog_md
        case .dates: PackageResources.Dates_md
        case .refresh: PackageResources.Refresh_md
        case .configuration: PackageResources.Configuration_md
        case .operations: PackageResources.Operations_md
        case .architecture: PackageResources.Architecture_md
        }
    }
}

/// In place of the parser's own, which knows subcommands alone.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show the help of a subcommand or a topic.",
        discussion: "Topics are \(HelpTopic.names).")

    @Argument(help: "A subcommand, or a topic.")
    var words: [String] = []

    func run() throws {
        guard let name = words.first else { return try show(ValetCommand.helpMessage()) }
        if let topic = HelpTopic(rawValue: name.lowercased()) { return try show(topic.article) }
        let command = ValetCommand.configuration.subcommands.first {
            $0.configuration.commandName == name
        }
        guard let command else {
            throw CommandFailure(
                .usage,
                "“\(name)” is neither a subcommand nor a topic. Topics: \(HelpTopic.names); "
                    + "valet --help lists the subcommands")
        }
        try show(ValetCommand.helpMessage(for: command))
    }

    /// On a terminal a screen at a time, where there is a pager.
    private func show(_ text: String) throws {
        let text = text.hasSuffix("\n") ? text : text + "\n"
        if isatty(STDOUT_FILENO) == 1, page(text) { return }
        try StandardOutput.write(text)
    }

    private func page(_ text: String) -> Bool {
        let chosen = ProcessInfo.processInfo.environment["PAGER"] ?? ""
        // Quits where all fits on the screen, and leaves the screen as it is.
        let pager = chosen.isEmpty ? "less -FX" : chosen
        guard let pipe = popen("\(pager) 2>/dev/null", "w") else { return false }
        let ignored = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, ignored) }
        fputs(text, pipe)
        // 127: the shell knows no such program.
        return pclose(pipe) != 127 << 8
    }
}
