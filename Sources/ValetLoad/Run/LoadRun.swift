import Foundation
import ValetClient
import ValetCommands
import ValetModel
import ValetSecurity
import ValetTerminal

/// Runs a scenario against a server: connects its people, lets them act until the time is up, and
/// reports. Ends by itself, whatever the server does.
package struct LoadRun: Sendable {
    let plan: RunPlan
    let address: ServerAddress
    /// What its stations prove themselves with; nil for what is kept for the server.
    var credential: Credential?
    /// The database file to compare cells with, if there is one.
    let truthFile: String?
    /// Called when the list is open and the stations begin.
    var whenBegun: @Sendable () -> Void = {}

    /// - Throws: only what keeps the run from beginning; what goes wrong later is counted.
    func run() async throws -> RunReport {
        let (context, watch) = try await prepare()
        let memoryBefore = ServerMemory(await watch.ask())
        whenBegun()
        var stations = (0..<plan.scenario.stations(clients: plan.clients)).map {
            SimulatedStation(number: $0, context: context)
        }
        var memoryConnected: ServerMemory?
        if plan.scenario != .storm {
            stations = await context.connect(stations)
            memoryConnected = ServerMemory(await watch.ask())
        }
        let measured = await context.act(stations, watch)
        await context.checkStations()
        let atEnd = await watch.ask()
        await watch.end()
        await context.connections.closeAll()
        await context.countSearches()
        var report = RunReport(
            plan: plan, list: context.list.name, seconds: measured,
            totals: context.figures.summary())
        report.wasStopped = Task.isCancelled
        report.memory = RunReport.Memory(
            before: memoryBefore, connected: memoryConnected, end: ServerMemory(atEnd),
            stations: stations.count)
        report.statistics = atEnd
        return report
    }

    // MARK: - Before

    private func prepare() async throws -> (RunContext, ServerWatch) {
        ProgressLine.standardError.begin("\(plan.scenario.rawValue): opening the list")
        let scout = try await address.connect(as: .max, high: 1, credential: credential)
        let list = try await scout.list(named: plan.list)
        let groupings = Array(list.groupings.map(\.name).prefix(RunPlan.groupingsVisited))
        let view = try await scout.openView(list: list.name, Query(grouping: groupings.first))
        let scopes = Array(list.scopes.map(\.name).prefix(RunPlan.groupingsVisited))
        let words = try await words(in: view, of: list)
        var context = RunContext(
            plan: plan, address: address, credential: credential, list: list,
            sample: ListSample(
                columns: list.columns, words: words, groupings: groupings, scopes: scopes))
        if let truthFile {
            let lists = try await scout.catalog(countingRows: false).catalog.lists
            try await compare(view.summary, with: truthFile, among: lists, &context)
        } else {
            context.figures.note("cells were not compared: --truth names the database file")
        }
        return (context, ServerWatch(scout))
    }

    private func compare(
        _ summary: ViewSummary, with file: String, among lists: [ListDescription],
        _ context: inout RunContext
    ) async throws(ValetError) {
        let truth: Truth
        do throws(ValetError) {
            truth = try Truth(file: file, list: context.list, others: lists)
        } catch {
            guard error.code == .notAllowed else { throw error }
            return context.figures.note(error.message)
        }
        context.truth = truth
        if truth.rowCount != summary.totalRows {
            let text = "the server has \(summary.totalRows) rows, the file \(truth.rowCount)"
            context.figures.add(Mismatch(.totals, text), at: 0)
        }
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
            for case .text(let text) in window.rows.flatMap({ $0?.cells ?? [] }) {
                for word in text.split(separator: " ").map(String.init)
                where word.count > 1 && known.count < RunPlan.mostWords {
                    if known.insert(word).inserted { words.append(word) }
                }
            }
        }
        return words
    }
}

// MARK: - The run itself

extension RunContext {
    fileprivate func connect(_ stations: [SimulatedStation]) async -> [SimulatedStation] {
        var connected: [SimulatedStation] = []
        while connected.count < stations.count, !Task.isCancelled {
            let batch = stations[connected.count...].prefix(RunPlan.connectsAtOnce)
            connected += await withTaskGroup(of: SimulatedStation.self) { group in
                for station in batch {
                    group.addTask {
                        var station = station
                        await station.arrive(from: .now)
                        return station
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            if stations.count > RunPlan.connectsAtOnce {
                ProgressLine.standardError.show(
                    "connecting: \(connected.count) of \(stations.count)")
            }
        }
        return connected
    }

    /// - Returns: seconds that count.
    fileprivate func act(_ stations: [SimulatedStation], _ watch: ServerWatch) async -> Double {
        let start = ContinuousClock.now
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
                        await station.live(RunTimes(plan, station: station.number, start: start))
                    }
                }
                let ticker = Task { await tick(times, watch) }
                await group.waitForAll()
                reaper.cancel()
                ticker.cancel()
                await ticker.value
            }
        } onCancel: {
            figures.stop()
            Task.detached {
                try? await Task.sleep(for: .seconds(1))
                await connections.closeAll()
            }
        }
        let length = (ContinuousClock.now - start) / .seconds(1)
        return max(0, min(length - plan.warmUp, plan.seconds))
    }

    /// Closes the figures of each second and shows the progress.
    private func tick(_ times: RunTimes, _ watch: ServerWatch) async {
        var next = times.start + .seconds(plan.warmUp)
        await times.sleep(until: next)
        figures.beginMeasuring()
        while !times.isOver {
            next += .seconds(1)
            await times.sleep(until: next)
            if Task.isCancelled { break }
            figures.turn(memory: ServerMemory(watch.latest))
            watch.refresh()
            show(times)
        }
        ProgressLine.standardError.end()
    }

    private func show(_ times: RunTimes) {
        let totals = figures.summary()
        let past = Int(((ContinuousClock.now - times.start) / .seconds(1)).rounded())
        let all = Int((plan.warmUp + plan.seconds).rounded())
        ProgressLine.standardError.begin(
            "\(plan.scenario.rawValue): \(past) of \(all) s, \(totals.requests.grouped) requests, "
                + "\(totals.errors.grouped) errors, \(totals.mismatches.grouped) mismatches")
    }
}
