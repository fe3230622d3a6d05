import Foundation
import TestSupport
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetClient

/// What becomes of commands when a server is stopped, or its clock is put.
@Suite(.timeLimit(.minutes(5))) struct InterruptedServiceTests {
    private static let commands = 400

    /// Commands under way are answered, or sent again to the next server: each is carried out once.
    @Test func aServerMayBeStoppedUnderCommands() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(1)
        let first = try await TestServer(path)
        let port = Atomic(first.port)
        let station = try await TestServer.connectStation { port.load(ordering: .relaxed) }
        let (outcomes, done) = AsyncStream<Result<Outcome, ValetError>>.makeStream()
        for number in 1...Self.commands {
            let change = Change.insert([.text("under way \(number)")])
            station.submit([change], list: .cars) { done.yield($1) }
        }
        var rows: [Int64] = []
        var second: TestServer?
        for await outcome in outcomes {
            guard case .applied(let added) = try outcome.get().verdict else {
                throw Unexpected("\(outcome)")
            }
            rows += added
            if rows.count == Self.commands { break }
            guard second == nil else { continue }
            // Most are under way.
            await first.server.stop()
            let next = try await TestServer(path)
            port.store(next.port, ordering: .relaxed)
            second = next
        }
        #expect(Set(rows).count == Self.commands)
        let makes = try TemporaryFolder.number(path, "SELECT count(DISTINCT make) FROM cars")
        let all = try TemporaryFolder.number(path, "SELECT count(*) FROM cars")
        #expect((Int(makes), Int(all)) == (Self.commands + 1, Self.commands + 1))
        await station.close()
        await second?.server.stop()
    }

    /// Time is written down, and decides nothing.
    @Test(arguments: [3_600, -3_600]) func aServersClockMayBePut(seconds: Int64) async throws {
        let offset = Atomic<Int64>(0)
        let server = try await TestServer(cars: 3) {
            $0.clock = {
                Int64(Date.now.timeIntervalSince1970 * 1_000_000) + offset.load(ordering: .relaxed)
            }
        }
        let station = try await server.connectStation()
        let connection = try #require(station.connection)
        func year() async throws -> Cell {
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            return try await view.allRows()[0].cells[2]
        }
        func isApplied(_ change: Change) async throws -> Bool {
            let verdict = try await station.submit(change, list: .cars).verdict
            if case .applied = verdict { return true }
            return false
        }
        let before = try await year()
        for (step, jump) in [0, seconds, 0, 2 * seconds].enumerated() {
            offset.store(jump * 1_000_000, ordering: .relaxed)
            #expect(try await isApplied(.set(1, 2, .integer(Int64(step)))))
            #expect(try await year() == .integer(Int64(step)))
        }
        for step in [2, 1, 0] {
            #expect(try await isApplied(.undo))
            #expect(try await year() == .integer(Int64(step)))
        }
        #expect(try await isApplied(.undo))
        #expect(try await year() == before)
        let history = try await connection.history(of: "cars")
        let revisions = history.changes.map(\.position.revision)
        #expect(revisions.count == 8 && revisions == revisions.sorted(by: >))
        await station.close()
        await server.server.stop()
    }
}
