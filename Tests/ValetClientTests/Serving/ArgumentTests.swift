import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// What a caller gets wrong is an error, and neither a trap nor the end of the connection.
@Suite(.timeLimit(.minutes(5))) struct ArgumentTests {
    private static let longName = String(repeating: "x", count: Limits.bytesPerName + 1)
    private static let longText = String(repeating: "x", count: Limits.bytesPerSearch + 1)

    private func refused(
        _ code: ErrorCode = .limitExceeded, _ comment: Comment? = nil,
        _ body: () async throws -> some Any
    ) async {
        #expect(await failure(body)?.code == code, comment)
    }

    @Test func windows() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            for (anchor, before, rows) in [
                (Anchor.ordinal(-1), 0, 10), (.ordinal(.min), 0, 10), (.ordinal(0), -1, 10),
                (.ordinal(0), .min, 10), (.ordinal(0), 0, -1), (.ordinal(0), 0, .min),
                (.ordinal(0), 0, .max), (.path(IndexPath(section: -1, row: 0)), 0, 10),
                (.path(IndexPath(section: 0, row: .min)), 0, 10),
            ] {
                let comment: Comment = "\(anchor) \(before) \(rows)"
                await refused(.limitExceeded, comment) {
                    try await view.window(at: anchor, rowsBefore: before, rows: rows)
                }
            }
            for (anchor, before) in [
                (Anchor.ordinal(.max), 0), (.ordinal(0), Int.max), (.ordinal(.max), .max),
                (.path(IndexPath(section: .max, row: .max)), 1), (.fraction(.max), .max),
            ] {
                let window = try await view.window(at: anchor, rowsBefore: before, rows: 10)
                #expect(window.rows.count <= 10)
            }
            for velocity in [Int.min, .max] {
                let told = Waiter<Window>()
                view.requestWindow(
                    at: .end, rowsBefore: 5, rows: 10, velocity: velocity, wantsParts: false
                ) { told.finish($0) }
                #expect(try await told.answer().rows.count == 5)
            }
            await refused(.unknownRow) { try await view.window(at: .rowID(.min), rows: 10) }
            #expect(try await view.window(at: .ordinal(0), rows: 1_024).rows.count == 1_000)
        }
    }

    @Test func aWindowThatIsRefusedLeavesTheOneThatWaits() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let told = Waiter<Window>()
            view.requestWindow(at: .ordinal(0), rows: 1_000, wantsParts: false) { told.finish($0) }
            await refused { try await view.window(at: .ordinal(-1), rows: 1) }
            #expect(try await told.answer().rows.count == 1_000)
        }
    }

    @Test func lookups() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            for most in [-1, Int.min, Limits.titlesPerIndex + 1, .max] {
                await refused { try await view.index(most: most) }
                await refused { try await view.sections(from: 0, count: most) }
            }
            #expect(try await view.index(most: 0).isEmpty)
            for start in [-1, Int.min] {
                await refused { try await view.sections(from: start, count: 1) }
            }
            #expect(try await view.sections(from: .max, count: 1).isEmpty)
            await refused { try await view.section(titled: Self.longName) }
            await refused { try await view.section(titlePrefix: Self.longName) }
            for row in [Int64.min, .max] { #expect(try await view.locate(row) == nil) }
        }
    }

    @Test func queries() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            for query in [
                Query(grouping: Self.longName), Query(sort: [.init(column: Self.longName)]),
                Query(search: .init(text: Self.longText)),
                Query(search: .init(text: "x", scope: Self.longName)),
            ] {
                await refused { try await view.rearrange(query) }
                await refused { try await connection.openView(list: "cars", query) }
            }
            for columns in [
                [Self.longName], Array(repeating: "make", count: Limits.columnsPerList + 1),
                // Names within their limit, in a frame that is not.
                Array(repeating: String(Self.longName.dropLast()), count: 100),
            ] {
                await refused { try await connection.openView(list: "cars", columns: columns) }
            }
            let failed = connection.startView(list: Self.longName) { _ in }
            // For the reason that the view was.
            await refused { try await failed.window(at: .ordinal(0), rows: 1) }
            #expect(view.summary.generation == 1)
            #expect(try await view.rearrange(Query(grouping: "year")).generation == 2)
        }
    }

    @Test func rowsAndCells() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            for list in [Self.longName, "", "\0"] {
                let code = list.count > 1 ? ErrorCode.limitExceeded : .unknownList
                await refused(code) { try await connection.detail(list: list, rowID: 1) }
                await refused(code) {
                    try await connection.wholeCell(list: list, rowID: 1, column: "make")
                }
            }
            await refused {
                try await connection.wholeCell(list: "cars", rowID: 1, column: Self.longName)
            }
            await refused(.unknownRow) { try await connection.detail(list: "cars", rowID: .min) }
            let detail = try await connection.detail(list: "cars", rowID: 1)
            #expect(detail.cells.count == 3)
        }
    }

    @Test func connections() async throws {
        for port in [-1, 65_536, .max, .min] {
            await refused {
                try await ValetConnection.connect(
                    host: "127.0.0.1", port: port, station: TestServer.station)
            }
        }
        let station = Station(name: Self.longName, id: StationID(high: 1, low: 2))
        await refused {
            try await ValetConnection.connect(host: "127.0.0.1", port: 1, station: station)
        }
        for host in ["", "\0", "a b", Self.longName] {
            await refused(.timedOut) {
                try await ValetConnection.connect(host: host, port: 1, station: TestServer.station)
            }
        }
        for descriptor: CInt in [-1, .max, .min] {
            await refused(.timedOut) {
                try await ValetConnection.adopt(
                    connectedSocket: descriptor, station: TestServer.station)
            }
        }
        for credit in [Int.min, -1, 0, .max] {
            try await TestServer.run(cars: 1, creditBytes: credit) { connection in
                let counts = try await connection.catalog().rowCounts
                #expect(counts == [1])
            }
        }
    }
}
