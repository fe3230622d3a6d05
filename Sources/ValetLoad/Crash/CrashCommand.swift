import ArgumentParser
import ValetCommands
import ValetTerminal

/// `valet-load crash`
struct CrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash",
        abstract: "Kill a server again and again while stations write, and check its file.",
        discussion: """
            The server serves a new fleet of cars, and is killed with SIGKILL at random moments. \
            Each station has a standing window, and must see its rows within \
            \(CrashPlan.secondsUntilWhole) s after a kill. At the end the file must have every \
            acknowledged change once, in the order of the revisions, and nothing else. \
            Mismatches end with status 1.
            """)

    @Option(help: "How many cars the fleet has.")
    var rows = 10_000

    @Option(help: "How many stations write and watch.")
    var stations = 200

    @Option(help: "How often the server is killed.")
    var kills = 200

    @Option(help: "Which fleet, and what stations do.")
    var seed: UInt64 = 1

    func validate() throws {
        try require("--rows", rows, in: 100...1_000_000)
        try require("--stations", stations, in: 1...2_000)
        try require("--kills", kills, in: 1...100_000)
    }

    func run() async throws {
        try Descriptors.require(for: stations)
        EndingSignals.watch()
        let scratch = try ScratchDirectory()
        let file = scratch.file("cars.sqlite")
        try FleetWriter(fleet: Fleet(seed: seed), rows: rows)
            .writeShowingProgress(to: file, replacing: false)
        defer { ProgressLine.standardError.end() }
        let plan = CrashPlan(rows: rows, stations: stations, kills: kills, seed: seed)
        let report = try await CrashRun(plan: plan, file: file).run()
        ProgressLine.standardError.end()
        print(TextTable.text(report.lines))
        if !report.isRight { throw ExitCode.failure }
    }
}

struct CrashPlan: Sendable {
    static let secondsUntilWhole = 10

    var rows: Int
    var stations: Int
    var kills: Int
    var seed: UInt64
}
