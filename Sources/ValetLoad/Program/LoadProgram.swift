import ArgumentParser
import Foundation
import ValetModel

/// The program `valet-load`, from its arguments to its exit status.
package enum LoadProgram {
    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String]) async -> Int32 {
        var speaksJSON = false
        do {
            var command = try LoadCommand.parseAsRoot(arguments)
            let format = (command as? BenchCommand)?.format ?? (command as? RunCommand)?.format
            speaksJSON = format == .json
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.ok.rawValue
        } catch _ where EndingSignals.hasCome {
            return ExitStatus.cancelled.rawValue
        } catch let error as ValetError {
            say(speaksJSON ? json(error.code.name, "\(error)") : "valet-load: \(error)")
            return ExitStatus(error.code).rawValue
        } catch let failure as CommandFailure {
            let message = failure.error
            say(speaksJSON ? json(failure.status.name, message) : "valet-load: \(message)")
            return failure.status.rawValue
        } catch let code as ExitCode {
            // What there is to say was said.
            return code.rawValue
        } catch {
            return end(with: error)
        }
    }

    /// Help, a version, and what ArgumentParser found wrong with the arguments.
    private static func end(with error: any Error) -> Int32 {
        let message = LoadCommand.fullMessage(for: error)
        let code = LoadCommand.exitCode(for: error)
        if code.isSuccess {
            print(message)
            return ExitStatus.ok.rawValue
        }
        say(message)
        // ArgumentParser ends with EX_USAGE.
        return code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue
    }

    private static func json(_ code: String, _ message: String) -> String {
        let answer = ["error": ["code": code, "message": message]]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(answer) else { return message }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func say(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "valet-load",
        abstract: "Makes data for Valet, and measures how it serves it.",
        subcommands: [GenerateCommand.self, RunCommand.self, BenchCommand.self])
}
