import ArgumentParser
import ValetCommands
import ValetModel
import ValetSecurity
import ValetStore
import ValetTerminal

/// `valet-load attack`
struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Let one client do its worst, and measure what others wait.",
        discussion: """
            Serves a copy of the file to people and to an attacker, who have a token each. People \
            look, search and filter at a fixed rate, without and with each attack in turn; the \
            ratio is that of their 99th percentiles, in the median of the rounds. The attacker \
            has a thread of this process, of the lowest priority, as if on a machine of its own; \
            what the system does for its connections is in the figures.

            Attacks:
            \(Attack.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Argument(help: "A SQLite file.")
    var file: String

    @Option(help: "One of the attacks below; all of them without it.")
    var attack: [Attack] = []

    @Option(help: "Which list, when there are several.")
    var list: String?

    @Option(help: "How many people look on.")
    var people = 20

    @Option(help: "Requests per second of all people together.")
    var rate = 100.0

    @Option(help: "Commands per second of others who edit, also without an attack.")
    var edits = 0

    @Option(help: "Connections of the attacker.")
    var connections = 8

    @Option(help: "Frames per second of the attacker's floods: views, pings, credits.")
    var flood = 50_000

    @Option(help: "Seconds of each measurement.")
    var seconds = 5.0

    @Option(help: "Measurements without and with each attack.")
    var rounds = 3

    @Option(help: "What people and attackers do exactly.")
    var seed: UInt64 = 1

    @Option(help: "How to print: table or json.")
    var format = ReportFormat.table

    func validate() throws {
        try require("--people", people, in: 1...RunPlan.mostClients)
        try require("--rate", rate, in: 1...10_000)
        try require("--edits", edits, in: 0...100_000)
        try require("--connections", connections, in: 1...AttackPlan.mostConnections)
        try require("--flood", flood, in: 1...10_000_000)
        try require("--seconds", seconds, in: 0.1...RunPlan.mostSeconds)
        try require("--rounds", rounds, in: 1...1_000)
    }

    func run() async throws {
        try requireFile(file)
        try Descriptors.require(for: people + connections)
        EndingSignals.watch()
        defer { ProgressLine.standardError.end() }
        let scratch = try ScratchDirectory()
        let copy = scratch.file("list.sqlite")
        // Edits are made in it.
        try Connection(path: file).copy(to: copy)
        let known = PrincipalsFile(path: scratch.file("tokens"))
        let tokens = (
            people: try known.add(Self.principal("people")),
            attacker: try known.add(Self.principal("attacker"))
        )
        let server = try ServerProcess.serving(copy, options: ["--tokens", known.path])
        let plan = AttackPlan(
            attacks: attack.isEmpty ? Attack.allCases : attack, people: people, rate: rate,
            flood: flood, edits: edits, connections: connections, seconds: seconds, rounds: rounds,
            seed: seed)
        let run = AttackRun(plan: plan, address: server.address, list: list, tokens: tokens)
        var report = try await run.run()
        if let ending = server.ending {
            report.notes.append("the server ended by itself: \(ending)")
        }
        await server.stop()
        ProgressLine.standardError.end()
        print(try format.text(of: report, table: report.table))
        if report.status != .ok { throw ExitCode(report.status.rawValue) }
    }

    private static func principal(_ name: String) throws(ValetError) -> Principal {
        guard let principal = Principal(name: name, roles: ["writer"]) else {
            throw ValetError(.unexpected, "“\(name)” is no name")
        }
        return principal
    }
}

extension Attack: ExpressibleByArgument {}
