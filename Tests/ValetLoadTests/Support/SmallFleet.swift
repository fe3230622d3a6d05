import TestSupport
import ValetCommands
import ValetModel

@testable import ValetLoad

/// A database of cars that goes with the test.
struct SmallFleet {
    let scratch: ScratchDirectory
    let file: String

    init(rows: Int = 2_000) throws {
        scratch = try ScratchDirectory()
        file = scratch.file("cars.sqlite")
        try FleetWriter(fleet: Fleet(seed: 5), rows: rows).write(to: file, replacing: false)
    }
}

/// The server that a bench starts, without a process of its own.
extension TestServer: LoadServer {
    package func stop() async {
        await server.stop()
    }
}

extension RunPlan {
    /// A third of a second of it, all rows of which one a window is compared with the file.
    static func brief(
        _ scenario: Scenario, clients: Int = 4, rate: Double? = nil, seconds: Double = 0.3
    ) -> RunPlan {
        var plan = RunPlan(
            scenario: scenario, clients: clients, rate: rate, seconds: seconds, warmUp: 0,
            seed: 11)
        plan.truthRowsPerSecond = .max
        return plan
    }
}

extension LoadRun {
    init(_ plan: RunPlan, port: Int, truth file: String?) {
        self.init(plan: plan, address: ServerAddress(port: port), truthFile: file)
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
