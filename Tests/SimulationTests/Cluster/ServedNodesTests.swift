import Foundation
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetServer
@testable import ValetStore

/// Servers of a cluster, with files, connections and stations; only the log is in memory.
@Suite(.serialized, .offThePool) struct ServedNodesTests {
    private static let cars = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, fuel REAL);
        INSERT INTO cars (make, fuel) VALUES ('VW', 1), ('Kia', 2), ('BMW', 3);
        """

    private static func list(_ station: ValetStation) async throws -> ListDescription {
        let connection = try #require(station.connection)
        return try await connection.catalog().catalog.list(named: "cars")
    }

    private static func makes(_ path: String) throws -> [String] {
        let statement = try Connection(path: path).prepare("SELECT make FROM cars ORDER BY id")
        var makes: [String] = []
        while try statement.step() { makes.append(statement.text(0) ?? "") }
        return makes
    }

    @Test func whateverNodeACommandIsSentToAllHaveIt() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        var expected = ["VW", "Kia", "BMW"]
        for (number, name) in ServedNodes.names.enumerated() {
            let station = try await nodes.station(UInt64(number + 1), at: name)
            let list = try await Self.list(station)
            let outcome = try await station.submit(
                .insert([[ColumnValue(column: 1, value: .text(name))]]), list: list)
            #expect(outcome.verdict == .applied(rowIDs: [Int64(4 + number)]))
            expected.append(name)
            // Whoever was told of it finds it where they are.
            let view = try await #require(station.connection).openView(
                list: "cars", columns: ["make"], Query())
            #expect(try await view.window(at: .ordinal(0), rows: 10).totalRows == expected.count)
            await station.close()
        }
        await nodes.settle()
        for node in nodes.all {
            #expect(try Self.makes(node.path) == expected, "\(node.name), led by \(leader.name)")
        }
        await nodes.stop()
    }

    /// When the leader's process ends, another one goes on, and what was acknowledged is there.
    @Test func anotherNodeTakesOver() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let first = await nodes.leader()
        let other = try #require(nodes.all.first { $0.name != first.name })
        let station = try await nodes.station(1, at: other.name)
        let list = try await Self.list(station)
        _ = try await station.submit(
            .update([RowEdit(1, 1, .text("Opel"), seen: .cell(.text("VW")))]), list: list)
        await nodes.stop(first.name)
        // It waits until somebody leads.
        let late = try await station.submit(
            .update([RowEdit(2, 1, .text("Seat"), seen: .cell(.text("Kia")))]), list: list)
        #expect(late.verdict == .applied(rowIDs: [2]))
        let next = await nodes.leader()
        #expect(next.name != first.name)
        try await nodes.start(first.name)
        await nodes.settle()
        for node in nodes.all { #expect(try Self.makes(node.path) == ["Opel", "Seat", "BMW"]) }
        await station.close()
        await nodes.stop()
    }

    /// A leader that is cut off commits nothing, and follows when it is back.
    @Test func aLeaderThatIsCutOffLosesNothing() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let first = await nodes.leader()
        first.log.cut(true)
        let other = try #require(nodes.all.first { $0.name != first.name })
        let station = try await nodes.station(1, at: other.name)
        let list = try await Self.list(station)
        let outcome = try await station.submit(
            .update([RowEdit(1, 1, .text("Opel"), seen: .cell(.text("VW")))]), list: list)
        #expect(outcome.verdict == .applied(rowIDs: [1]))
        #expect(try Self.makes(first.path) == ["VW", "Kia", "BMW"])
        first.log.cut(false)
        await nodes.settle()
        for node in nodes.all { #expect(try Self.makes(node.path) == ["Opel", "Kia", "BMW"]) }
        await station.close()
        await nodes.stop()
    }

    /// A file that another program has changed is not what the log says.
    @Test func aNodeWhoseFileWasChangedLeavesService() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        let other = try #require(nodes.all.first { $0.name != leader.name })
        // It has opened its file by then.
        await nodes.settle()
        try TemporaryFolder.change(other.path, "UPDATE cars SET make = 'Mine' WHERE id = 1")
        let station = try await nodes.station(1, at: leader.name)
        let list = try await Self.list(station)
        _ = try await station.submit(
            .update([RowEdit(2, 1, .text("Seat"), seen: .cell(.text("Kia")))]), list: list)
        let reason = await nodes.wait {
            if case .outOfService(let reason)? = other.status?.role { reason } else { nil }
        }
        #expect(reason.contains("diverged"))
        let lost = try await nodes.station(2, at: other.name)
        let error = await #expect(throws: ValetError.self) {
            _ = try await lost.submit(
                .update([RowEdit(3, 1, .text("Fiat"), seen: .cell(.text("BMW")))]), list: list)
        }
        #expect(error?.message.contains("out of service") == true)
        await station.close()
        await lost.close()
        await nodes.stop()
    }

    /// What the log has no more comes from another node, with its file.
    @Test func aNodeThatWasAwayForTooLongTakesACopy() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let first = await nodes.leader()
        // Not the server itself: as long as somebody has it, its file is open.
        let other = try #require(ServedNodes.names.first { $0 != first.name })
        await nodes.settle()
        await nodes.stop(other)
        let station = try await nodes.station(1, at: first.name)
        let list = try await Self.list(station)
        for number in 1...5 {
            _ = try await station.submit(
                .insert([[ColumnValue(column: 1, value: .text("new \(number)"))]]), list: list)
        }
        nodes.log.purge()
        try await nodes.start(other)
        await nodes.settle()
        let late = try await nodes.station(2, at: other)
        let there = try await Self.list(late)
        let outcome = try await late.submit(
            .update([RowEdit(1, 1, .text("Opel"), seen: .cell(.text("VW")))]), list: there)
        #expect(outcome.verdict == .applied(rowIDs: [1]))
        await nodes.settle()
        let makes = try Self.makes(first.path)
        #expect(makes == ["Opel", "Kia", "BMW"] + (1...5).map { "new \($0)" })
        for node in nodes.all { #expect(try Self.makes(node.path) == makes, "\(node.name)") }
        let path = try #require(nodes[other]).path
        #expect(try Self.makes(path + "-before") == ["VW", "Kia", "BMW"])
        #expect(!FileManager.default.fileExists(atPath: NodeFile.copy(ofOther: path)))
        await late.close()
        await station.close()
        await nodes.stop()
    }

    /// Nobody touches the row that another program has changed while no server had the file.
    @Test func aNodeWhoseRowsAreNotThoseOfTheOthersTakesACopy() async throws {
        let nodes = try await ServedNodes(Self.cars, placesPerMark: 4)
        let first = await nodes.leader()
        let other = try #require(ServedNodes.names.first { $0 != first.name })
        await nodes.settle()
        await nodes.stop(other)
        let path = try #require(nodes.path(of: other))
        try TemporaryFolder.change(path, "UPDATE cars SET make = 'Mine' WHERE id = 1")
        try await nodes.start(other)
        let station = try await nodes.station(1, at: first.name)
        let list = try await Self.list(station)
        var count = 0
        while !FileManager.default.fileExists(atPath: path + "-before") {
            count += 1
            _ = try await station.submit(
                .insert([[ColumnValue(column: 1, value: .text("new \(count)"))]]), list: list)
        }
        await nodes.settle()
        let makes = try Self.makes(first.path)
        #expect(makes == ["VW", "Kia", "BMW"] + (1...count).map { "new \($0)" })
        _ = await nodes.wait { nodes[other]?.status?.role == .following ? true : nil }
        for node in nodes.all { #expect(try Self.makes(node.path) == makes, "\(node.name)") }
        #expect(try Self.makes(path + "-before").first == "Mine")
        await station.close()
        await nodes.stop()
    }

    /// Whoever edits a row is seen by those at other nodes.
    @Test func stationsOfAllNodesSeeEachOther() async throws {
        let nodes = try await ServedNodes(Self.cars)
        _ = await nodes.leader()
        let (one, two) = (
            try await nodes.station(1, at: "ana"), try await nodes.station(2, at: "bob")
        )
        let (seen, others) = AsyncStream.makeStream(of: [StationPresence].self)
        two.onOthers { others.yield($0) }
        two.appear(Presence(list: "cars"))
        one.appear(Presence(list: "cars", rowID: 2, activity: .edits))
        var news = seen.makeAsyncIterator()
        func next(where isWanted: ([StationPresence]) -> Bool) async {
            while let found = await news.next(), !isWanted(found) {}
        }
        await next {
            $0.map(\.station) == ["station 1"]
                && $0[0].presence == Presence(list: "cars", rowID: 2, activity: .edits)
        }
        await one.close()
        await next { $0.isEmpty }
        await two.close()
        await nodes.stop()
    }

    /// What is in the log is carried out, also where the leader could not store it.
    @Test func aLeaderWhoseDiskIsFullLosesNothing() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let first = await nodes.leader()
        let other = try #require(nodes.all.first { $0.name != first.name })
        let station = try await nodes.station(1, at: other.name)
        let list = try await Self.list(station)
        let disk = try #require(nodes.disks[first.name])
        disk.fail(.full)
        let outcome = try await station.submit(
            .update([RowEdit(1, 1, .text("Opel"), seen: .cell(.text("VW")))]), list: list)
        #expect(outcome.verdict == .applied(rowIDs: [1]))
        #expect(try Self.makes(first.path) == ["VW", "Kia", "BMW"])
        disk.fail(nil)
        await nodes.settle()
        for node in nodes.all { #expect(try Self.makes(node.path) == ["Opel", "Kia", "BMW"]) }
        await station.close()
        await nodes.stop()
    }

    /// Whoever asks a node must be one of its cluster, of this version, with the same catalog.
    @Test func whatIsNoCommandIsRefused() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        let other = try #require(nodes.all.first { $0.name != leader.name })
        func answer(_ question: [UInt8]) async throws -> ValetError? {
            let bytes = await withCheckedContinuation { answered in
                other.log.ask(leader.name, question) { answered.resume(returning: $0) }
            }
            let read = try NodeAnswer<Outcome>(try #require(bytes))
            guard case .failure(let error) = read.result else { return nil }
            return error
        }
        let digest = try #require(leader.server.server.shared.writer).database.catalogDigest
        let command = Command(
            name: CommandName(
                writer: WriterID(at: WallClock.now(), random: (1, 2)), number: 1), group: 1,
            list: "cars",
            change: .insert([[ColumnValue(column: 1, value: .text("Fiat"))]]))
        func forwarded(_ catalog: UInt64, isCurrent: Bool = true) -> [UInt8] {
            NodeQuestion.command(
                ForwardedCommand(
                    CommandRequest(request: 1, epoch: 1, command: command),
                    from: Station(name: "a", id: StationID(high: 1, low: 2)), actingFor: nil,
                    catalog: catalog, isCurrent: isCurrent)
            ).bytes
        }
        #expect(try await answer([])?.code == .malformed)
        #expect(try await answer([9])?.message.contains("versions") == true)
        #expect(try await answer(forwarded(digest &+ 1))?.code == .catalogChanged)
        #expect(try await answer(forwarded(digest, isCurrent: false))?.code == .catalogChanged)
        let long = Array(repeating: UInt8(1), count: Limits.bytesPerForwardedCommand + 2)
        #expect(try await answer(long)?.code == .limitExceeded)
        #expect(try Self.makes(leader.path).count == 3)
        await nodes.stop()
    }
}
