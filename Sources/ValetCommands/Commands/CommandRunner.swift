import ArgumentParser
import Foundation
import ValetModel
import ValetTerminal

/// Runs a program's command line: every way of ending has its exit code and its words on stderr.
package enum CommandRunner {
    package static func run(
        _ root: any ParsableCommand.Type,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) async -> Never {
        Limits.checkRelations()
        // A reader that goes away is an error of `write`, not the end.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try root.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(ExitStatus.ok.rawValue)
        } catch {
            let ending = Ending(error, of: root, isJSON: wantsJSON(arguments))
            FileHandle.standardOutput.write(Data(ending.output.utf8))
            FileHandle.standardError.write(Data(ending.words.utf8))
            exit(ending.code)
        }
    }

    static func wantsJSON(_ arguments: [String]) -> Bool {
        let options = arguments.prefix { $0 != "--" }
        return options.contains("--format=json")
            || zip(options, options.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }

    /// How a program ends on an error: what it says, where, and its exit code.
    struct Ending: Equatable {
        var code: Int32
        var output = ""
        var words = ""

        init(_ error: any Error, of root: any ParsableCommand.Type, isJSON: Bool) {
            switch error {
            case is ReaderHasGone: code = ExitStatus.ok.rawValue
            case is CancellationError: code = ExitStatus.cancelled.rawValue
            // Whoever threw it has said what there was to say.
            case let exit as ExitCode: code = exit.rawValue
            case let error as ValetError:
                code = ExitStatus(error.code).rawValue
                words = Self.words(error.code.name, "\(error)", of: root, isJSON: isJSON)
            case let failure as CommandFailure:
                code = failure.status.rawValue
                let message = ValetError(
                    .unexpected, failure.error, alternatives: failure.alternatives)
                words = Self.words(
                    failure.status.name, "\(message)", of: root, isJSON: isJSON)
            default:
                code = ExitStatus.ok.rawValue
                endParsing(error, root, isJSON: isJSON)
            }
        }

        /// Help and version go to stdout and are no error; what can't be parsed is a usage error.
        private mutating func endParsing(
            _ error: any Error, _ root: any ParsableCommand.Type, isJSON: Bool
        ) {
            guard !root.exitCode(for: error).isSuccess else {
                output = root.fullMessage(for: error) + "\n"
                return
            }
            let isUsage = root.exitCode(for: error) == .validationFailure
            let status = isUsage ? ExitStatus.usage : .failed
            code = status.rawValue
            words =
                isUsage && !isJSON
                ? root.fullMessage(for: error) + "\n"
                : Self.words(status.name, root.message(for: error), of: root, isJSON: isJSON)
        }

        private static func words(
            _ code: String, _ message: String, of root: any ParsableCommand.Type, isJSON: Bool
        ) -> String {
            if isJSON {
                let error = OutputValue.object([("code", .text(code)), ("message", .text(message))])
                return JSON.text([("error", error)]) + "\n"
            }
            // Names from a database may be in it.
            let sanitizer = Sanitizer()
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map {
                sanitizer.glyphs(of: $0).map { String($0.character) }.joined()
            }
            let program = root.configuration.commandName ?? "valet"
            return program + ": " + lines.joined(separator: "\n") + "\n"
        }
    }
}
