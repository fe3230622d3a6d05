import Foundation
import NIOCore
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetSecurity

@testable import ValetClient
@testable import ValetServer

/// What a client shows of windows that stand is what is true at its revision, whatever changes,
/// however little credit there is, and however often the connection breaks; and when all is quiet,
/// it is the newest.
@Suite struct StandingMirrorTests {
    @Test(arguments: runSeeds(100)) func theMirrorIsTheTruth(seed: UInt64) throws {
        let world = try World.run(seed: seed)
        #expect(world.windowsChecked > 0, "seed \(seed)")
    }

    /// With VALET_SEEDS it prints the hashes, which are the same in other processes.
    @Test(arguments: runSeeds(2)) func theSameSeedGivesTheSameBytes(seed: UInt64) throws {
        let hash = try World.run(seed: seed).hash
        #expect(try World.run(seed: seed).hash == hash, "seed \(seed)")
        #expect(try World.run(seed: seed &+ 1).hash != hash, "seed \(seed)")
        guard ProcessInfo.processInfo.environment["VALET_SEEDS"] != nil else { return }
        let shown = hash.map { String($0, radix: 16) }.joined(separator: " ")
        FileHandle.standardError.write(Data("VALET_SEED=\(seed): \(shown)\n".utf8))
    }
}

/// A server's session and a client's, and the wire between them.
private struct World {
    private let seed: UInt64
    private var random: SeededNumbers
    private let lists: ChangingCars
    private var server = Session()
    private var client = ClientSession(hello: Self.hello(credit: 0))
    private var toServer: [ByteBuffer] = []
    private var toClient: [ByteBuffer] = []
    private var read: [PageName: [ByteBuffer]] = [:]
    /// By revision.
    private var snapshots: [UInt64: Snapshot] = [:]
    /// The revisions that touched a row.
    private var touched: [Int64: [UInt64]] = [:]
    private var nextRow: Int64 = 10_000
    /// In ascending order.
    private var rowIDs: [Int64]
    private var query = Query()
    private var titles: (ArrangementSpecification, SectionTitles)?
    private var views: UInt64 = 0
    private var shown: Window?
    private var request: UInt32 = 0
    private(set) var windowsChecked = 0
    /// Of all bytes that were sent, in both directions.
    private(set) var hash: [UInt8] = []

    static func run(seed: UInt64) throws -> World {
        var world = try World(seed: seed)
        for _ in 0..<400 { try world.step() }
        try world.settle()
        return world
    }

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededNumbers(seed: seed)
        let count = [0, 1, 90, 700][Int(seed % 4)]
        lists = try ChangingCars(count: count)
        rowIDs = (0..<count).map { Int64($0 + 1) }
        snapshots[lists.snapshot.revision] = lists.snapshot
        try connect()
    }

    private static func hello(credit: Int) -> Hello {
        Hello(creditBytes: credit, station: Station(name: "desk", id: StationID(high: 1, low: 2)))
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    // MARK: Steps

    mutating func step() throws {
        if chance(30) { try change() }
        if chance(30) { look() }
        if chance(60) { try pump(most: Int.random(in: 1...6, using: &random)) }
        if chance(60) { try deliver(most: Int.random(in: 1...4, using: &random)) }
        if chance(5) { try ask() }
        if chance(1) { try connect() }
        lists.time = lists.time + .milliseconds(Int64.random(in: 0...40, using: &random))
    }

    /// Until nothing is left to do.
    mutating func settle() throws {
        if shown == nil, request == 0 { try ask() }
        for _ in 0..<60 {
            lists.time = lists.time + .seconds(1)
            look()
            for _ in 0..<20 {
                try pump(most: 100)
                if toServer.isEmpty, toClient.isEmpty { break }
                try deliver(most: 100)
            }
        }
        let window = try #require(shown, "seed \(seed): no window")
        try check(window, at: lists.snapshot.revision)
    }

    /// What was on the way is lost, and the client goes on with the pages that it has.
    private mutating func connect() throws {
        (toServer, toClient, shown, request) = ([], [], nil, 0)
        server = Session()
        let kept = client.takePages()
        client = ClientSession(
            hello: Self.hello(credit: [20_000, 40_000, 1 << 20].randomElement(using: &random)!))
        var actions: [ClientAction] = []
        client.connected(at: lists.time, &actions)
        try run(actions)
        for _ in 0..<3 { try deliver(most: 9) }
        client.resume(with: kept)
        query = Query(grouping: Bool.random(using: &random) ? "Make" : "None")
        if chance(30) { query.search = Query.Search(text: "1") }
        views += 1
        actions = []
        _ = try client.open(ViewNumber(rawValue: views), list: "Cars", columns: [], query, &actions)
        try run(actions)
        try ask()
    }

    private mutating func ask() throws {
        var anchor: Anchor =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .end
            case 1: .fraction(UInt32.random(in: 0...UInt32.max, using: &random))
            default: .ordinal(Int.random(in: 0..<900, using: &random))
            }
        let rows = (shown?.rows ?? []).compactMap(\.self).shuffled(using: &random).prefix(8)
        if !rows.isEmpty, chance(60) {
            anchor = .rows(
                rows.map { AnchorRow(id: $0.id, line: Int.random(in: -5...50, using: &random)) },
                otherwise: anchor)
        }
        var actions: [ClientAction] = []
        let wish = ClientSession.WindowWish(
            anchor: anchor, rowsBefore: Int.random(in: 0...20, using: &random),
            rows: Int.random(in: 0...150, using: &random),
            answersPerSecond: UInt32.random(in: 0...40, using: &random))
        request = try client.requestWindow(ViewNumber(rawValue: views), wish, &actions).request
        try run(actions)
    }

    private mutating func change() throws {
        var changes: [RowChange] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let kind = Int.random(in: 0..<3, using: &random)
            let cells: [Int: Cell] = [
                0: .text("Make \(Int.random(in: 0..<12, using: &random))"),
                1: .text("Model \(Int.random(in: 0..<900, using: &random))"),
            ]
            guard kind > 0, let place = rowIDs.indices.randomElement(using: &random) else {
                nextRow += 1
                rowIDs.append(nextRow)
                changes.append(.insert(rowID: nextRow, cells: cells))
                continue
            }
            if kind == 1 {
                changes.append(.delete(rowID: rowIDs.remove(at: place)))
            } else {
                changes.append(
                    .update(rowID: rowIDs[place], cells: chance(50) ? cells : [2: .integer(7)]))
            }
        }
        try lists.commit(changes)
        snapshots[lists.snapshot.revision] = lists.snapshot
        for change in changes { touched[change.rowID, default: []].append(lists.snapshot.revision) }
    }

    // MARK: The server's side

    private mutating func look() { try? run(server.lookAtWindows(lists).actions) }

    private mutating func run(_ actions: [SessionAction]) throws {
        for action in actions {
            switch action {
            case .send(let message, let stream):
                var bytes = ByteBuffer()
                message.encode(stream: stream, into: &bytes)
                sendToClient(bytes)
            case .sendPaid(let paid): sendToClient(paid.frame)
            case .arrange(let order):
                try lists.arrange(order.specification)
                snapshots[lists.snapshot.revision] = lists.snapshot
                let answers = server.arranged(order, .success(Times()), lists)
                titles = server.views[order.stream].map {
                    ($0.query.specification, $0.query.titles)
                }
                try run(answers)
            case .close(let error): throw error
            case .abandon, .release, .sendCatalog, .countRows, .collectStatistics, .readDetail,
                .makeBackup, .readBlock,
                .readPiece, .enter, .command, .readHistory, .appear, .beginFeed, .readFeed,
                .refresh,
                .cancelRefresh, .survey, .abandonSurvey, .unpin:
                break
            }
        }
    }

    /// Reads and sends pages, as the handler does.
    private mutating func pump(most: Int) throws {
        var left = most
        while left > 0 {
            left -= 1
            switch server.outbox.next(frames: { read[$0.name] }) {
            case .write(let frame): sendToClient(frame)
            case .fill(let order):
                // The rows are read as they are now.
                let now = lists.snapshot.revision
                guard
                    order.rowIDs.allSatisfy({
                        touches(of: $0, until: now) <= order.revision
                    })
                else {
                    server.pageOutdated(order)
                    continue
                }
                var page = PageBuilder(rowIDs: order.rowIDs, columnCount: order.columns.count)
                for (place, id) in order.rowIDs.enumerated() {
                    for column in order.columns.indices {
                        let stamp = Int64(touches(of: id, until: now))
                        page.set(row: place, column: column, to: .integer(stamp))
                    }
                }
                read[order.name] = page.encode(name: order.name)
                server.outbox.filled(order.name)
            case .wait:
                guard server.hasPendingWindow else { return }
                let looks = server.lookAtWindows(lists)
                guard !looks.actions.isEmpty else { return }
                try run(looks.actions)
            }
        }
    }

    /// A row's cells say which revision touched it.
    private static func stamp(_ revision: UInt64) -> Cell { .integer(Int64(revision)) }

    // MARK: The wire

    private mutating func sendToClient(_ frame: ByteBuffer) {
        hash = sha256([0] + hash + Array(buffer: frame))
        toClient.append(frame)
    }

    private mutating func sendToServer(_ message: ClientMessage, stream: UInt16) {
        var frame = ByteBuffer()
        message.encode(stream: stream, into: &frame)
        hash = sha256([1] + hash + Array(buffer: frame))
        toServer.append(frame)
    }

    private func frame(_ bytes: ByteBuffer, limit: Int) throws -> Frame {
        var bytes = bytes
        return try #require(try Frame(takingFrom: &bytes, payloadLimit: limit))
    }

    private mutating func deliver(most: Int) throws {
        for _ in 0..<most where !toServer.isEmpty {
            let frame = try frame(toServer.removeFirst(), limit: Limits.bytesPerClientFrame)
            let message = try #require(try ClientMessage(frame: frame))
            try run(server.received(message, stream: frame.stream, readAt: lists.time, lists))
        }
        var actions: [ClientAction] = []
        for _ in 0..<most where !toClient.isEmpty {
            let bytes = toClient.removeFirst()
            let frame = try frame(bytes, limit: Limits.bytesPerServerFrame)
            let message = try #require(try ServerMessage(frame: frame))
            client.received(
                message, stream: frame.stream, byteCount: bytes.readableBytes, at: lists.time,
                &actions)
        }
        client.readCompleted(&actions)
        try run(actions)
    }

    private mutating func run(_ actions: [ClientAction]) throws {
        for action in actions {
            switch action {
            case .send(let message, let stream): sendToServer(message, stream: stream)
            case .deliver(.window(let window), let subscription):
                #expect(subscription.request == request, "seed \(seed)")
                guard window.isComplete else { continue }
                try check(window, at: window.revision)
                shown = window
            case .close(let error):
                Issue.record("seed \(seed): \(error)")
                throw error
            case .welcome, .complete, .pong, .deliver, .others, .node, .end: break
            }
        }
    }

    // MARK: The truth

    private mutating func check(_ window: Window, at revision: UInt64) throws {
        let (specification, titles) = try #require(titles)
        let snapshot = try #require(snapshots[revision])
        let rows = ArrangedRows(
            cache: snapshot.cache, arrangement: try #require(snapshot.arrangements[specification]),
            titles: titles)
        let place = "seed \(seed), revision \(revision)"
        windowsChecked += 1
        #expect(window.totalRows == rows.rowCount, "\(place)")
        #expect(window.totalSections == rows.sectionCount, "\(place)")
        let range = window.first..<window.first + window.rows.count
        try #require(range.upperBound <= rows.rowCount, "\(place)")
        #expect(window.rows.map { $0?.id } == range.map(rows.rowID), "\(place)")
        let truth = rows.window(at: .ordinal(window.first), rowsBefore: 0, rows: range.count)
        #expect(window.runs == truth?.runs, "\(place)")
        for row in window.rows.compactMap(\.self) where revision == window.revision {
            let last = touches(of: row.id, until: revision)
            #expect(row.cells.allSatisfy { $0 == Self.stamp(last) }, "\(place), row \(row.id)")
        }
    }

    /// The last revision up to this one that touched the row.
    private func touches(of id: Int64, until revision: UInt64) -> UInt64 {
        touched[id]?.last { $0 <= revision } ?? 0
    }
}

/// One list of cars that changes in memory.
private final class ChangingCars: SessionSurroundings {
    let catalog: ServedCatalog
    let epoch: UInt64 = 42
    let validEpochs: Set<UInt64> = [42]
    let serverName = "cars"
    var servingNode: ServingNode? { nil }
    let refusalOfChanges: ValetError? = nil

    func visitor(with token: [UInt8]?, orKey key: KeyFingerprint?) -> Visitor? { nil }

    func catalog(for access: PrincipalAccess?) -> ServedCatalog { catalog }

    var time = NIODeadline.uptimeNanoseconds(0)
    private(set) var snapshot: Snapshot

    init(count: Int) throws {
        let list = ListDescription(
            name: "Cars", title: "Cars",
            columns: .named(["make": .text, "model": .text, "year": .integer]), titleColumn: 1,
            groupings: [
                Grouping(
                    name: "Make", column: 0, expression: .wholeValue,
                    rowOrder: [SortKey(column: 1)], indexTitles: .firstLetter),
                Grouping(name: "None", column: nil, expression: .none, indexTitles: .none),
            ],
            scopes: [Scope(name: "Any", columns: .columns([0, 1]))], cell: .columns)
        catalog = ServedCatalog(Catalog(lists: [list]))
        let builder = ColumnCacheBuilder(descriptions: list.columns, wanted: [0, 1, 2])
        snapshot = Snapshot(revision: 5, cache: builder.finish(), numbers: LeafNumbers())
        try commit(
            (0..<count).map {
                .insert(
                    rowID: Int64($0 + 1),
                    cells: [0: .text("Make \($0 % 10)"), 1: .text("Model \($0)")])
            })
    }

    func commit(_ changes: [RowChange]) throws {
        let changed = snapshot.applying(changes, revision: snapshot.revision + 1)
        snapshot = try #require(changed)
    }

    func arrange(_ specification: ArrangementSpecification) throws {
        for arrangement in try snapshot.building(specification) {
            snapshot = snapshot.adding(arrangement)
        }
    }

    var now: NIODeadline { time }

    func snapshot(ofList list: Int) -> Snapshot? { snapshot }

    func projection(list: Int, columns: [Int], left: inout Int) -> Projection {
        Projection(number: 1, columns: columns)
    }
}
