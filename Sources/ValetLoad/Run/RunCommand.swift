import ArgumentParser
import Foundation
import ValetCommands
import ValetModel
import ValetStore
import ValetTerminal

/// `valet-load run SCENARIO TARGET`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Let simulated people use a server, and check what it answers.",
        discussion: """
            Without --rate, each client asks as soon as it was answered and its person has paused. \
            With --rate, requests fall due at that rate, and times count from then: what a stall \
            kept waiting shows. Every window is checked, rows of them are compared with the \
            database file, and \(RunPlan.searchesCounted) searches are counted in it when the run \
            is over. Errors and mismatches end with status 1.

            Scenarios:
            \(Scenario.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Argument(help: "What people do: one of the scenarios below.")
    var scenario: Scenario

    @Argument(help: "valet://HOST[:PORT][/LIST], or a SQLite file to start a server for.")
    var target: String

    @Option(help: "Which list, when there are several.")
    var list: String?

    @Option(help: "How many clients; those that are silent, with idle.")
    var clients: Int?

    @Option(help: "Requests per second of all clients together; as many as there are if left out.")
    var rate: Double?

    @Option(help: "How long, without the warm-up.")
    var seconds: Double?

    @Option(name: .customLong("warm-up"), help: "Seconds at the beginning that don't count.")
    var warmUp: Double = 1

    @Option(help: "What people do exactly.")
    var seed: UInt64 = 1

    @Option(help: "How to print: table or json.")
    var format = ReportFormat.table

    @Option(help: "The server's database file, to check cells against; not needed for a file.")
    var truth: String?

    func validate() throws {
        do throws(CommandFailure) {
            _ = try Target(target)
        } catch {
            throw ValidationError(error.error)
        }
        try require("--clients", clients, in: 1...RunPlan.mostClients)
        let stations = clients.map(scenario.stations)
        try require("--clients", stations, in: 1...RunPlan.mostClients)
        try require("--rate", rate, in: 0.001...1e6)
        try require("--seconds", seconds, in: 0.1...RunPlan.mostSeconds)
        try require("--warm-up", warmUp, in: 0...RunPlan.mostSeconds)
    }

    func run() async throws {
        let target = try Target(target)
        var plan = RunPlan(
            scenario: scenario, clients: clients, rate: rate, seconds: seconds, warmUp: warmUp,
            seed: seed, list: list)
        // Found out before the run rather than after it.
        if let truth { try requireFile(truth) }
        try Descriptors.require(for: scenario.stations(clients: plan.clients))
        defer { ProgressLine.standardError.end() }
        switch target {
        case .server(let servers, let named):
            guard let address = servers.only else {
                throw CommandFailure(.usage, "a run is of one server: name one of them")
            }
            plan.list = list ?? named
            try await run(LoadRun(plan: plan, address: address, truthFile: truth)) { nil }
        case .demo: throw CommandFailure(.usage, "the gallery is served by valet demo --listen")
        case .csv(let file):
            throw CommandFailure(
                .usage, "“\(file)” is no SQLite file: valet import makes one of it")
        case .file(let file):
            try requireFile(file)
            // Checked here, so that the error about a file is ours and not that of a server.
            _ = try Connection(path: file)
            let server = try ServerProcess.serving(file)
            try await run(
                LoadRun(plan: plan, address: server.address, truthFile: truth ?? file)
            ) { server.ending.map { "the server ended by itself: \($0)" } }
            await server.stop()
        }
    }

    /// Ctrl-C ends the run early, with the figures so far; another ends the program.
    /// - Parameter note: asked for when the run is over.
    private func run(_ run: LoadRun, note: () -> String?) async throws {
        let task = Task { try await run.run() }
        EndingSignals.watch { task.cancel() }
        var report = try await task.value
        if let note = note() { report.totals.notes.append(note) }
        ProgressLine.standardError.end()
        print(try format.text(of: report, table: report.table))
        if report.status != .ok { throw ExitCode(report.status.rawValue) }
    }
}

extension Scenario: ExpressibleByArgument {}
