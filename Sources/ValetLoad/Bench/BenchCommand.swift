import ArgumentParser
import Foundation
import ValetCommands
import ValetModel
import ValetStore
import ValetTerminal

/// `valet-load bench`
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure a server on this machine, and print one table.",
        discussion: """
            Makes a fleet of cars, measures the operations that a server is made of, then starts \
            servers for it and asks as one station after the other over loopback TCP. The file is \
            the same for the same seed and number of rows, and so are the places and searches \
            that are asked for. Rows are changed in copies of it. Targets are for a million and \
            for ten million rows (--rows 10000000), in a release build on two processors.
            """)

    @Option(help: "How many cars.")
    var rows = 1_000_000

    @Option(help: "Which fleet, and which places in it.")
    var seed: UInt64 = 1

    @Option(help: "Measure on this file, made by generate, and make none.")
    var file: String?

    @Option(help: "A database whose lists are scrolled too, for what a row of them takes to send.")
    var also: [String] = []

    @Option(
        help:
            "Measure one part: micro (in memory), or over TCP served, asked, loaded, edited, seen."
    )
    var only: BenchPlan.Part?

    @Option(help: "Insert and delete so many rows, too, and see whether a server's memory grows.")
    var churn: Int?

    @Option(help: "How to print: table or json.")
    var format = ReportFormat.table

    @Flag(help: "Ask a tenth as often.")
    var quick = false

    func validate() throws {
        try require("--rows", rows, in: BenchPlan.fewestRows...Limits.rowsPerList)
        try require("--churn", churn, in: 1...1_000_000_000)
    }

    func run() async throws {
        EndingSignals.watch()
        defer { ProgressLine.standardError.end() }
        // Checked here, so that the error about a file is ours and not that of a server.
        for file in [file].compactMap(\.self) + also {
            try requireFile(file)
            _ = try Connection(path: file)
        }
        let scratch = try ScratchDirectory()
        var plan = BenchPlan(seed: seed, isQuick: quick)
        if let only { plan.parts = [only] }
        plan.churn = churn
        let bench = Bench(
            plan: plan, file: try file ?? makeFleet(in: scratch), others: also
        ) { try ServerProcess.serving($0) }
        let report = try await bench.run()
        ProgressLine.standardError.end()
        print(try format.text(of: report, table: report.table))
        withExtendedLifetime(scratch) {}
    }

    private func makeFleet(in scratch: ScratchDirectory) throws -> String {
        let path = scratch.file("cars.sqlite")
        try FleetWriter(fleet: Fleet(seed: seed), rows: rows)
            .writeShowingProgress(to: path, replacing: false)
        return path
    }
}

extension BenchPlan.Part: ExpressibleByArgument {}
