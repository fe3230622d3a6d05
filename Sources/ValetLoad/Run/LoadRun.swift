import Foundation
import ValetClient
import ValetModel
import ValetTerminal

/// Runs a scenario against a server: connects its people, lets them act until the time is up, and
/// reports. Ends by itself, whatever the server does.
package struct LoadRun: Sendable {
    let plan: RunPlan
    let address: RunAddress
    /// The database file to compare cells with, if there is one.
    let truthFile: String?
    /// Called when the list is open and the stations begin.
    var whenBegun: @Sendable () -> Void = {}

    /// - Throws: only what keeps the run from beginning; what goes wrong later is counted.
    func run() async throws -> RunReport {
        var notes: [String] = []
        let (context, watch) = try await prepare(&notes)
        let memoryBefore = ServerMemory(await watch.ask())
        whenBegun()
        var stations = (0..<plan.scenario.stations(clients: plan.clients)).map {
            SimulatedStation(number: $0, context: context)
        }
        var memoryConnected: ServerMemory?
        if plan.scenario != .storm {
            stations = await connect(stations, context)
            memoryConnected = ServerMemory(await watch.ask())
        }
        let measured = await act(stations, context, watch)
        await checkStations(context, &notes)
        let atEnd = await watch.ask()
        await watch.end()
        await context.connections.closeAll()
        await countSearches(context, &notes)
        var report = RunReport(
            plan: plan, list: context.list.name, seconds: measured,
            totals: context.figures.summary(),
            notes: notes)
        report.wasStopped = Task.isCancelled
        report.memory = RunReport.Memory(
            before: memoryBefore, connected: memoryConnected, end: ServerMemory(atEnd),
            stations: stations.count)
        report.statistics = atEnd
        return report
    }

    // MARK: - Before

    private func prepare(_ notes: inout [String]) async throws -> (RunContext, ServerWatch) {
        ProgressLine.standardError.begin("\(plan.scenario.rawValue): opening the list")
        let scout = try await ValetConnection.connect(
            host: address.host, port: address.port,
            station: Station(name: "load", id: StationID(high: 1, low: .max)))
        let list = try await choose(from: scout)
        let groupings = Array(list.groupings.map(\.name).prefix(RunPlan.groupingsVisited))
        let view = try await scout.openView(
            list: list.name, Query(grouping: groupings.first))
        let scopes = Array(list.scopes.map(\.name).prefix(RunPlan.groupingsVisited))
        let words = try await words(in: view, of: list)
        var context = RunContext(
            plan: plan, address: address, list: list,
            sample: ListSample(
                columns: list.columns, words: words, groupings: groupings, scopes: scopes))
        if let truthFile {
            try await compare(view.summary, with: truthFile, &context, &notes)
        } else {
            notes.append("cells were not compared: --truth names the database file")
        }
        return (context, ServerWatch(scout))
    }

    private func compare(
        _ summary: ViewSummary, with file: String, _ context: inout RunContext,
        _ notes: inout [String]
    ) async throws(ValetError) {
        let truth: Truth
        do throws(ValetError) {
            truth = try Truth(file: file, list: context.list)
        } catch {
            guard error.code == .notAllowed else { throw error }
            notes.append(error.message)
            return
        }
        context.truth = truth
        if truth.rowCount != summary.totalRows {
            context.figures.add(
                Mismatch(
                    .totals,
                    "the server has \(summary.totalRows) rows, the file "
                        + "\(truth.rowCount)"), at: 0)
        }
    }

    private func choose(from scout: ValetConnection) async throws(ValetError) -> ListDescription {
        let catalog = try await scout.catalog(countingRows: false).catalog
        if let name = plan.list { return try catalog.list(named: name) }
        guard let first = catalog.lists.first, catalog.lists.count == 1 else {
            throw ValetError(
                .unknownList, "name a list with --list", alternatives: catalog.lists.map(\.name))
        }
        return first
    }

    /// Words for people to type, taken from rows all over the list.
    private func words(
        in view: ValetView, of list: ListDescription
    ) async throws(ValetError) -> [String] {
        var words: [String] = []
        var known: Set<String> = []
        var numbers = SeededNumbers(seed: plan.seed, index: -7)
        for _ in 0..<16 {
            let place = numbers.below(max(1, view.summary.totalRows))
            let window = try await view.window(at: .ordinal(place), rows: RunPlan.rowsPerWindow)
            for row in window.rows {
                for case .text(let text) in row?.cells ?? [] {
                    for word in text.split(separator: " ").map(String.init)
                    where word.count > 1 && known.count < RunPlan.mostWords {
                        if known.insert(word).inserted { words.append(word) }
                    }
                }
            }
        }
        return words
    }

    private func connect(
        _ stations: [SimulatedStation], _ context: RunContext
    ) async -> [SimulatedStation] {
        var connected: [SimulatedStation] = []
        while connected.count < stations.count, !Task.isCancelled {
            let batch = stations[connected.count...].prefix(RunPlan.connectsAtOnce)
            connected += await withTaskGroup(of: SimulatedStation.self) { group in
                for station in batch {
                    group.addTask { await Self.connect(station, context) }
                }
                var batch: [SimulatedStation] = []
                for await station in group { batch.append(station) }
                return batch
            }
            if stations.count > RunPlan.connectsAtOnce {
                ProgressLine.standardError.show(
                    "connecting: \(connected.count) of \(stations.count)")
            }
        }
        return connected
    }

    private static func connect(
        _ station: SimulatedStation, _ context: RunContext
    ) async -> SimulatedStation {
        var station = station
        do throws(ValetError) {
            try await station.connect(from: .now)
        } catch {
            if !Task.isCancelled { context.figures.add(error, at: station.number) }
            await station.hangUp()
        }
        return station
    }

    // MARK: - The run itself

    /// - Returns: seconds that count.
    private func act(
        _ stations: [SimulatedStation], _ context: RunContext, _ watch: ServerWatch
    ) async -> Double {
        let start = ContinuousClock.now
        let connections = context.connections
        await withTaskCancellationHandler {
            await withTaskGroup { group in
                let times = RunTimes(plan, station: 0, start: start)
                // Ends requests that are still unanswered some time after the end.
                let reaper = Task.detached {
                    try? await Task.sleep(until: times.end + plan.answerTimeout, clock: .continuous)
                    if !Task.isCancelled { await connections.closeAll() }
                }
                for station in stations {
                    group.addTask {
                        var station = station
                        await station.live(
                            RunTimes(plan, station: station.number, start: start))
                    }
                }
                let ticker = Task { await tick(times, context, watch) }
                await group.waitForAll()
                reaper.cancel()
                ticker.cancel()
                await ticker.value
            }
        } onCancel: {
            context.figures.stop()
            Task.detached {
                try? await Task.sleep(for: .seconds(1))
                await connections.closeAll()
            }
        }
        let length = (ContinuousClock.now - start) / .seconds(1)
        return max(0, min(length - plan.warmUp, plan.seconds))
    }

    /// Closes the figures of each second and shows the progress.
    private func tick(_ times: RunTimes, _ context: RunContext, _ watch: ServerWatch) async {
        let figures = context.figures
        var next = times.start + .seconds(plan.warmUp)
        await times.sleep(until: next)
        figures.beginMeasuring()
        while !times.isOver {
            next += .seconds(1)
            await times.sleep(until: next)
            if Task.isCancelled { break }
            figures.turn(memory: ServerMemory(watch.latest))
            watch.refresh()
            show(figures, times)
        }
        ProgressLine.standardError.end()
    }

    private func show(_ figures: Figures, _ times: RunTimes) {
        let counts = figures.counts()
        let past = Int(((ContinuousClock.now - times.start) / .seconds(1)).rounded())
        let all = Int((plan.warmUp + plan.seconds).rounded())
        ProgressLine.standardError.begin(
            "\(plan.scenario.rawValue): \(past) of \(all) s, \(counts.requests.grouped) requests, "
                + "\(counts.errors.grouped) errors, \(counts.mismatches.grouped) mismatches")
    }
}
