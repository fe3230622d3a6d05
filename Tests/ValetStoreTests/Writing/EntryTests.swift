import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What an entry of the log is: its bytes, and which commands it has.
@Suite struct EntryTests {
    private static let cells: [Cell] = [
        .null, .integer(.min), .real(-0.5), .text("é\0"), .blob(bytes: [0, 255], byteCount: 2),
        .malformedText(bytes: [0xFF], byteCount: 1),
    ]

    private static func command(_ number: UInt64, _ verdict: Verdict) -> EntryCommand {
        EntryCommand(
            name: CommandName(writer: WriterID(high: .max, low: number), number: number),
            group: 1, station: .anna, list: "cars", kind: .undo, digest: -7,
            verdict: verdict)
    }

    /// With everything that an entry can have.
    private static let whole: Entry = {
        var entry = Entry(
            logID: .max, term: 3, previous: [1, 2].withUnsafeBytes { EntryHash(of: $0) }, first: 9,
            time: -1,
            tables: [
                EntryTable(name: "cars", columns: ["a", "b", "c", "d", "e", "f"]),
                EntryTable(name: "", columns: ["é"]),
            ], highest: [HighestRowID(table: 1, rowID: .max)])
        var first = command(1, .applied(rowIDs: [4, .min, 5]))
        first.effects = [
            Effect(table: 0, rowID: 4, change: .insert(cells), isOwn: true, previous: 0),
            Effect(table: 0, rowID: .max, change: .delete(cells), isOwn: false, previous: 8),
            Effect(
                table: 1, rowID: -5,
                change: .update([
                    Effect.ChangedCell(
                        column: 0, old: .cutText("x", byteCount: 9), new: .text("y"), isOwn: true)
                ]), isOwn: true, previous: 3),
        ]
        (first.turned, first.skipped, first.unnamedTables) = ([1, 2], [-3], ["notes_data"])
        let conflict = Conflict(
            rowID: 1, theirs: .cell(ColumnValue(column: 1, value: .null)), station: "Bert",
            time: 5, restored: .text("z"))
        let refusal = Refusal(row: 2, column: nil, message: "no")
        entry.commands = [
            first, command(2, .conflict([conflict])), command(3, .refused([refusal])),
            command(4, .appliedButFor(rowIDs: [], [conflict])),
        ]
        return entry
    }()

    @Test func anEntryIsWhatItsBytesSay() throws {
        let sealed = Self.whole.sealed()
        #expect(Entry(stored: sealed.bytes) == Self.whole)
        #expect(sealed.entry.last == 12)
        let sections = try #require(EntrySections(sealed.bytes))
        #expect(sections.revisions == 9..<13)
        #expect(sections.command(at: 10) == Self.whole.commands[1])
        #expect(sections.command(at: 8) == nil && sections.command(at: 13) == nil)
    }

    @Test func damagedBytesAreNoEntry() {
        let bytes = Self.whole.sealed().bytes
        for count in bytes.indices {
            #expect(Entry(stored: Array(bytes.prefix(count))) == nil, "cut to \(count)")
        }
        #expect(Entry(stored: bytes + [0]) == nil)
        #expect(Entry(stored: [2] + bytes.dropFirst()) == nil, "a later format")
        let hash = Self.whole.sealed().hash
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(bit)
                _ = Entry(stored: damaged)
                #expect(damaged.withUnsafeBytes { EntryHash(of: $0) } != hash)
            }
        }
    }

    @Test(arguments: runSeeds(4))
    func randomBytesDoNoHarm(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let bytes = Self.whole.sealed().bytes
        for _ in 0..<2_000 {
            var damaged = bytes
            for _ in 0...random.below(4) {
                damaged[random.below(damaged.count)] = UInt8(random.below(256))
            }
            _ = Entry(stored: damaged)
        }
    }

    /// SHA-256 of "abc", from FIPS 180-2.
    @Test func theHashIsSHA256() {
        let hash = Array("abc".utf8).withUnsafeBytes { EntryHash(of: $0) }
        #expect(hash.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        #expect(EntryHash(stored: Array(hash.bytes.dropLast())) == nil)
    }

    // MARK: In a file

    private func entries(_ file: WrittenDatabase) throws -> [SealedEntry] {
        let prepared = PreparedStatements(try Connection(path: file.path))
        var entries: [SealedEntry] = []
        try prepared.rows(SQL.entriesAfter, [.integer(0)]) { row in
            let bytes = row.byteArray(0)
            if let entry = Entry(stored: bytes) { entries.append(SealedEntry(entry, bytes)) }
            return true
        }
        return entries
    }

    @Test func eachTransactionIsAnEntryThatNamesTheOneBefore() throws {
        let file = try WrittenDatabase()
        try file.commit([
            file.command(.insert([.text("VW")])), file.command(.set(9, 0, .text("Kia"))),
        ])
        try file.reopen()
        try file.send(.set(1, 1, .integer(7)), from: .bert)
        let entries = try entries(file)
        #expect(entries.map(\.entry.commands.count) == [2, 1])
        #expect(entries.map(\.entry.previous) == [.none, entries[0].hash])
        #expect(entries.map(\.entry.logID) == [7, 7] && entries.map(\.entry.term) == [0, 0])
        let (first, second) = (entries[0].entry, entries[1].entry)
        #expect(first.last < second.first)
        #expect(first.tables == [EntryTable(name: "cars", columns: ["make", "year"])])
        #expect(first.highest == [HighestRowID(table: 0, rowID: 1)] && second.highest == [])
        #expect(first.commands[1].verdict.conflicts.count == 1)
        let cell = Effect.ChangedCell(column: 1, old: .null, new: .integer(7), isOwn: true)
        let effect = Effect(
            table: 0, rowID: 1, change: .update([cell]), isOwn: true, previous: first.first)
        #expect(second.commands.map(\.effects) == [[effect]])
        #expect(second.commands.map(\.station.name) == ["Bert"])
    }

    @Test func anEffectThatFindsNoRoomInAnEntryGoesIntoTheNext() throws {
        let file = try WrittenDatabase(after: .insert([.null]))
        file.forgetBatches()
        try file.writer?.file().decider.mostBytes = 2_500
        let long = Cell.text(String(repeating: "x", count: 1_000))
        let results = try file.commit((0..<5).map { _ in file.command(.insert([long])) })
        #expect(try results.allSatisfy { try $0.get().verdict.isApplied })
        #expect(file.batches.map(\.commands.count) == [2, 2, 1])
        #expect(try entries(file).map(\.entry.commands.count) == [1, 2, 2, 1])
        let tooMuch = file.command(.insert([long], [long], [long]))
        let last = try file.commit([file.command(.insert([long])), tooMuch])
        #expect(try last[0].get().verdict.isApplied)
        expectFailure(.limitExceeded, saying: "bytesPerEntry") { try last[1].get() }
        #expect(try file.query("SELECT count(*) FROM cars") == [["7"]])
        #expect(try file.send(.undo).isApplied)
    }

    /// A value that is longer than the log keeps is not in the entry, unless it is new.
    @Test func longValuesThatStayAreNoEffects() throws {
        let size = Limits.bytesPerLoggedCommand + 1
        let file = try WrittenDatabase(
            "CREATE TABLE cars (make TEXT, photo BLOB);"
                + "INSERT INTO cars VALUES ('BMW', zeroblob(\(size)))")
        try file.send(.set(1, 0, .text("Audi")))
        let effects = try #require(try entries(file).last).entry.commands[0].effects
        guard case .update(let cells) = effects[0].change else { throw Unexpected("no update") }
        #expect(cells.map(\.column) == [0])
        #expect(try file.send(.undo) == .applied(rowIDs: [1]))
    }
}
