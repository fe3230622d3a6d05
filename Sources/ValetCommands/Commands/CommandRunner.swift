import ArgumentParser
import Foundation
import ValetModel

/// Runs a program's command line: every way of ending has its exit code and its words on stderr.
package enum CommandRunner {
    package static func run(
        _ root: any ParsableCommand.Type, arguments: [String] = Array(CommandLine.arguments.dropFirst())
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
            exit(report(error, root, isJSON: wantsJSON(arguments)).rawValue)
        }
    }

    private static func wantsJSON(_ arguments: [String]) -> Bool {
        arguments.contains("--format=json")
            || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }

    private static func report(
        _ error: any Error, _ root: any ParsableCommand.Type, isJSON: Bool
    ) -> ExitStatus {
        switch error {
        case is ReaderHasGone: return .ok
        case is CancellationError: return .cancelled
        case let error as ValetError:
            let status = ExitStatus(error.code)
            write(error.code.name, "\(error)", isJSON: isJSON)
            return status
        case let failure as CommandFailure:
            let words = ValetError(
                .unexpected, failure.error, alternatives: failure.alternatives)
            write("\(failure.status)", "\(words)", isJSON: isJSON)
            return failure.status
        default: return reportParsing(error, root)
        }
    }

    /// Help and version go to stdout and are no error; what can't be parsed is a usage error.
    private static func reportParsing(
        _ error: any Error, _ root: any ParsableCommand.Type
    ) -> ExitStatus {
        let message = root.fullMessage(for: error)
        if root.exitCode(for: error).isSuccess {
            FileHandle.standardOutput.write(Data((message + "\n").utf8))
            return .ok
        }
        FileHandle.standardError.write(Data((message + "\n").utf8))
        return root.exitCode(for: error) == .validationFailure ? .usage : .failed
    }

    private static func write(_ code: String, _ message: String, isJSON: Bool) {
        let text =
            isJSON
            ? JSON.text([
                ("error", .object([("code", .text(code)), ("message", .text(message))]))
            ])
            : "valet: " + message
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
