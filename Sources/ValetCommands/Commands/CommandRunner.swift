import ArgumentParser
import Dispatch
import Foundation
import ValetModel
import ValetTerminal

/// Runs a program's command line: every way of ending has its exit code and its words on stderr.
package enum CommandRunner {
    /// Runs the command line to the end of the process.
    package static func run(_ root: any (ParsableCommand & SendableMetatype).Type) -> Never {
        // First of all: whatever begins to run opens descriptors.
        StandardStreams.fill()
        Limits.checkRelations()
        // A reader that goes away is an error of `write`, not the end.
        signal(SIGPIPE, SIG_IGN)
        Task {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let ending =
                if let malformed = malformedArgument {
                    Ending(
                        CommandFailure(
                            .usage,
                            "argument \(malformed) is not UTF-8, so its value would be lost"),
                        of: root, isJSON: wantsJSON(arguments))
                } else {
                    await end(of: root, arguments: arguments)
                }
            exit(ending.write())
        }
        dispatchMain()
    }

    /// Whether the program is called by this name, on whatever path.
    package static func isCalled(_ name: String) -> Bool {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) == name
    }

    /// The number of the first argument that is not UTF-8: Swift has replaced parts of it.
    private static var malformedArgument: Int? {
        (0..<Int(CommandLine.argc)).dropFirst().first { number in
            CommandLine.unsafeArgv[number].map { String(validatingCString: $0) == nil } ?? false
        }
    }

    /// Runs the command line.
    package static func end(
        of root: any ParsableCommand.Type, arguments: [String]
    ) async -> Ending {
        let arguments = separatingValues(arguments)
        do {
            let command = try await parsed(root, arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
            return Ending(code: ExitStatus.ok.rawValue)
        } catch {
            return Ending(
                error, of: root, isJSON: wantsJSON(arguments),
                isTerminal: isatty(STDERR_FILENO) == 1)
        }
    }

    private static func parsed(
        _ root: any ParsableCommand.Type, _ arguments: [String]
    ) async throws -> any ParsableCommand {
        guard let root = root as? any AsyncParsableCommand.Type else {
            return try root.parseAsRoot(arguments)
        }
        return try await root.asyncParseAsRoot(arguments)
    }

    /// Options whose `=` ArgumentParser does not see, as two arguments. It takes `--search=` for an
    /// option without a value, and would take the next argument for that; and an `=` with a
    /// combining mark behind it is another `Character`.
    static func separatingValues(_ arguments: [String]) -> [String] {
        let options = arguments.prefix { $0 != "--" }
        return options.flatMap { argument -> [String] in
            let scalars = argument.unicodeScalars
            guard argument.utf8.starts(with: "--".utf8), let sign = scalars.firstIndex(of: "=")
            else { return [argument] }
            let value = String(scalars[scalars.index(after: sign)...])
            let isSeen = argument.firstIndex(of: "=") == sign && !value.isEmpty
            return isSeen ? [argument] : [String(scalars[..<sign]), value]
        } + arguments[options.endIndex...]
    }

    static func wantsJSON(_ arguments: [String]) -> Bool {
        let options = arguments.prefix { $0 != "--" }
        return options.contains("--format=json")
            || zip(options, options.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }

    /// How a program ends on an error: what it says, where, and its exit code.
    package struct Ending: Equatable, Sendable {
        package var code: Int32
        var output = ""
        var words = ""

        package init(code: Int32) { self.code = code }

        /// - Returns: the exit code.
        package func write() -> Int32 {
            StandardStreams.say(words)
            do {
                try StandardOutput.write(output)
                return code
            } catch let failure as CommandFailure {
                StandardStreams.say("valet: \(failure.error)\n")
                return failure.status.rawValue
            } catch {
                return code
            }
        }

        /// - Parameter isTerminal: whether a person reads what it says.
        init(
            _ error: any Error, of root: any ParsableCommand.Type, isJSON: Bool,
            isTerminal: Bool = false
        ) {
            switch error {
            case is ReaderHasGone: code = ExitStatus.ok.rawValue
            case is CancellationError: code = ExitStatus.cancelled.rawValue
            // Its message was printed before it was thrown.
            case let exit as ExitCode: code = exit.rawValue
            case let error as ValetError:
                code = ExitStatus(error.code).rawValue
                words = Self.words(error.code.name, "\(error)", of: root, isJSON: isJSON)
            case let failure as ConditionFailure:
                let error = failure.error.error
                // As options that are too long or too many.
                let isTooMuch = error.code == .limitExceeded
                code = (isTooMuch ? ExitStatus.usage : ExitStatus(error.code)).rawValue
                words = Self.words(
                    isTooMuch ? ExitStatus.usage.name : error.code.name, "\(error)", of: root,
                    isJSON: isJSON)
                if isTerminal, !isJSON { words += failure.picture }
            case let failure as CommandFailure:
                code = failure.status.rawValue
                let message = ValetError(
                    .unexpected, failure.error, alternatives: failure.alternatives)
                words = Self.words(failure.status.name, "\(message)", of: root, isJSON: isJSON)
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
                ? Sanitizer().lines(of: root.fullMessage(for: error)) + "\n"
                : Self.words(status.name, root.message(for: error), of: root, isJSON: isJSON)
        }

        private static func words(
            _ code: String, _ message: String, of root: any ParsableCommand.Type, isJSON: Bool
        ) -> String {
            if isJSON {
                let error = OutputValue.object([("code", .text(code)), ("message", .text(message))])
                return JSON.text([("error", error)]) + "\n"
            }
            let program = root.configuration.commandName ?? "valet"
            // Names from a database may be in it.
            return program + ": " + Sanitizer().lines(of: message) + "\n"
        }
    }
}
