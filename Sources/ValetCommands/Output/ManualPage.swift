import ArgumentParser
import Foundation
import ValetServer

/// A program's help as a manual page, in the macros of man(7).
package enum ManualPage {
    /// What a page has beside the help.
    package enum Section {
        /// Lines as they are.
        case verbatim(String, String)
        /// Words, and what they mean.
        case terms(String, [(term: String, text: String)])
    }

    /// What ArgumentParser says of a command, as far as it is used here.
    private struct Tool: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var isOptional: Bool
        var isRepeating: Bool

        var term: String {
            let value = "<\(valueName ?? "value")>" + (isRepeating ? " …" : "")
            guard let names else { return isOptional ? "[\(value)]" : value }
            let spelled = names.map { ($0.kind == "long" ? "--" : "-") + $0.name }
            return spelled.joined(separator: ", ") + (kind == "flag" ? "" : " \(value)")
        }
    }

    static func text(of root: any Program.Type) throws -> String {
        let help = Data(root._dumpHelp().utf8)
        let page = try JSONDecoder().decode(Tool.self, from: help).command
        let name = page.commandName
        let lines =
            [
                ".TH \(name.uppercased()) \(root.section) \"\" \"\(name) \(ValetServer.version)\"",
                ".SH NAME", "\(name) \\- " + escaped(page.abstract ?? ""), ".SH SYNOPSIS", ".nf",
            ] + paragraphs(root.configuration.usage) + [".fi", ".SH DESCRIPTION"]
            + paragraphs(page.discussion) + [".SH OPTIONS"] + options(of: page)
            + [".SH COMMANDS"]
            + (page.subcommands ?? []).flatMap { command in
                [".SS \(name) \(escaped(command.commandName))", escaped(command.abstract ?? "")]
                    + [".PP"] + paragraphs(command.discussion) + options(of: command)
            } + root.manual.flatMap(section)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ section: Section) -> [String] {
        switch section {
        case .verbatim(let title, let text):
            let lines = text.split(separator: "\n").map { escaped(String($0)) }
            return [".SH \(title)", ".nf"] + lines + [".fi"]
        case .terms(let title, let terms):
            return [".SH \(title)"] + terms.flatMap { definition($0.term, $0.text) }
        }
    }

    private static func definition(_ term: String, _ text: String) -> [String] {
        [".TP", "\\fB\(escaped(term))\\fR", escaped(text)]
    }

    private static func options(of command: Command) -> [String] {
        // Every command has help and version, which the program's own options name.
        let own = (command.arguments ?? []).filter { argument in
            command.subcommands != nil
                || !["help", "version"].contains(argument.names?.last?.name)
        }
        return own.flatMap { definition($0.term, $0.abstract ?? "") }
    }

    private static func paragraphs(_ text: String?) -> [String] {
        (text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? ".PP" : escaped(String($0)) }
    }

    /// Text in ASCII, in which nothing is a macro.
    private static func escaped(_ text: String) -> String {
        let text = text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\n": escaped += " "
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u" + String(repeating: "0", count: max(4 - digits.count, 0))
                escaped += digits + "]"
            }
        }
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
