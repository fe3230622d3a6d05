import ArgumentParser
import ValetCommands
import ValetModel

/// The program `valet-load`, from its arguments to its exit status.
package enum LoadProgram {
    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String]) async -> Int32 {
        let ending = await CommandRunner.end(of: LoadCommand.self, arguments: arguments)
        // The error is that of a server which the signal's thread has killed.
        if EndingSignals.hasCome { return ExitStatus.cancelled.rawValue }
        return ending.write()
    }
}

extension ParsableCommand {
    /// - Parameter option: as it is written.
    func require<Value: Comparable>(
        _ option: String, _ value: Value?, in range: ClosedRange<Value>
    ) throws {
        if let value, !range.contains(value) {
            func text(_ bound: Value) -> String {
                (bound as? Double).flatMap { Int(exactly: $0) }.map { "\($0)" } ?? "\(bound)"
            }
            throw ValidationError(
                "\(option) must be from \(text(range.lowerBound)) to \(text(range.upperBound)).")
        }
    }
}

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "valet-load",
        abstract: "Makes data for Valet, and measures how it serves it.",
        subcommands: [
            GenerateCommand.self, RunCommand.self, CrashCommand.self, AttackCommand.self,
            BenchCommand.self,
        ])
}
