import ArgumentParser
import Foundation
import ValetModel
import ValetStore

/// `valet-load bench`
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure a server on this machine, and print one table.",
        discussion: """
            Makes a fleet of cars, starts a server for it, and asks as one station after the other \
            over loopback TCP. The file is the same for the same seed and number of rows, and so \
            are the places and searches that are asked for.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
    }

    @Option(help: "How many cars.")
    var rows = 1_000_000

    @Option(help: "Which fleet, and which places in it.")
    var seed: UInt64 = 1

    @Option(help: "Measure on this file, made by generate, and make none.")
    var file: String?

    @Option(help: "How to print: table or json.")
    var format = Format.table

    @Flag(help: "Ask a tenth as often.")
    var quick = false

    func validate() throws {
        guard (BenchPlan.fewestRows...Limits.rowsPerList).contains(rows) else {
            throw ValidationError(
                "--rows must be from \(BenchPlan.fewestRows) to \(Limits.rowsPerList).")
        }
    }

    func run() async throws {
        EndingSignals.watch()
        defer { StatusLine.clear() }
        let scratch = try ScratchDirectory()
        let path = try file ?? makeFleet(in: scratch)
        // Found out here, a file that can't be read is told of in the words of who reads it.
        _ = try Connection(path: path)
        let bench = Bench(plan: BenchPlan(seed: seed, isQuick: quick), file: path) {
            try ServerProcess.serving($0)
        }
        let report = try await bench.run()
        StatusLine.clear()
        print(format == .json ? try report.json() : report.table())
        withExtendedLifetime(scratch) {}
    }

    private func makeFleet(in scratch: ScratchDirectory) throws -> String {
        let path = scratch.file("cars.sqlite")
        var progress = TerminalProgress(total: rows, unit: "cars")
        defer { progress.end() }
        let writer = FleetWriter(fleet: Fleet(seed: seed), rows: rows)
        try writer.write(to: path, replacing: false) { progress.show($0) }
        return path
    }
}
