import Testing
import ValetModel

@testable import ValetArrangement

/// What columns hold, at the edges of their forms.
@Suite struct ColumnTests {

    private static func snapshot(_ type: ColumnType, _ cells: [Cell]) throws -> Snapshot {
        try Snapshot(of: ModelList(cells, type: type)).opening(.byValue)
    }

    private static func titles(_ snapshot: Snapshot) -> [String] {
        snapshot.rows(.byValue).sections(from: 0, count: .max).map(\.title)
    }

    /// Each pair's second is stored over the first, in a chunk whose narrow form may not hold it.
    @Test(arguments: [
        (Cell.integer(5), Cell.integer(4)), (.integer(5), .integer(.min)),
        (.integer(.max), .integer(0)),
        (.integer(1), .real(2.5)), (.real(2.5), .real(1e300)), (.real(0.25), .real(0.125)),
        (.real(2.5), .integer(1)), (.null, .text("x")), (.text("x"), .null), (.integer(3), .null),
        (.integer(.min), .integer(.max)), (.text("x"), .blob(bytes: [], byteCount: 9)),
        (.real(0), .real(-0.0)), (.integer(9), .text("9")),
    ])
    func aChunkTakesAnyNewValue(first: Cell, second: Cell) throws {
        for type in [ColumnType.text, .integer, .real] {
            let before = try Self.snapshot(type, Array(repeating: first, count: 3))
            let after = try before.after([.update(rowID: 1, cells: [0: second])], revision: 1)
            after.checkInvariants()
            let expected = try Self.snapshot(type, [first, second, first])
            #expect(Self.titles(after) == Self.titles(expected))
            #expect(Self.titles(before) == Self.titles(try Self.snapshot(type, [first])))
        }
    }

    /// A chunk's codes count from its lowest; the one below that is not what is missing.
    @Test func aTextOfAnEarlierChunkIsNotMissing() throws {
        let cells = (0..<8_192).map { Cell.text($0 < 4_096 ? "early" : "late") }
        let after = try Self.snapshot(.text, cells)
            .after([.update(rowID: 5_000, cells: [0: .text("early")])], revision: 1)
        after.checkInvariants()
        #expect(Self.titles(after) == ["early", "late"])
    }

    @Test func ofALongTextOnlyTheBeginningCounts() throws {
        let long = String(repeating: "é", count: Limits.bytesPerKeyText)
        let malformed = Cell.malformedText(
            bytes: Array(repeating: 0x80, count: Limits.bytesPerKeyText + 9), byteCount: 9_999)
        let cells: [Cell] = [.text(long + "a"), .text(long + "b"), malformed]
        let read = try Self.snapshot(.text, cells)
        #expect(read.rows(.byValue).sectionCount == 2)
        // The same values that come as changes are the same keys.
        let changed = try read.after(
            (0..<3).map { .insert(rowID: Int64($0 + 10), cells: [0: cells[$0]]) }, revision: 1)
        changed.checkInvariants()
        #expect(changed.rows(.byValue).sectionCount == 2)
    }

    /// A longer one may be the beginning of a text, for all that the column knows.
    @Test(arguments: [Cell.text("x"), .malformedText(bytes: [0x80], byteCount: 1)], [true, false])
    func aTextIsWholeUpToALength(_ cell: Cell, isRead: Bool) throws {
        for (count, isWhole) in [(4_092, true), (4_093, false), (4_096, false), (4_097, false)] {
            let long =
                switch cell {
                case .text: Cell.text(String(repeating: "x", count: count))
                default:
                    Cell.malformedText(
                        bytes: Array(repeating: 0x80, count: count), byteCount: count)
                }
            let cells = [.text("short"), isRead ? long : .null, .text("")]
            var snapshot = try Self.snapshot(.text, cells)
            if !isRead {
                snapshot = try snapshot.after([.update(rowID: 1, cells: [0: long])], revision: 1)
            }
            let list = ModelList([cells[0], long, cells[2]])
            let found = snapshot.cache.wholeCells(0, of: list)
            #expect(found == (isWhole ? list.cells(0) : nil), "\(count) bytes")
        }
    }

    @Test func columnsMayBeReadInLater() throws {
        var random = SeededNumbers(seed: 5)
        let columns = RandomLists.Columns(&random)
        let list = RandomLists.list(columns, rows: 5_000, &random)
        let all = Array(columns.kinds.indices)
        let cache = ColumnCache.reading(list, wanted: [])
        #expect(all.allSatisfy { cache.columns[$0] == nil })
        var addition = ColumnAddition(to: cache, wanted: all)
        // Another program has deleted some rows since, and inserted others.
        for id in list.rows.keys.sorted() where id % 5 != 0 {
            addition.beginRow(id)
            for column in all {
                list.rows[id]![column].lend { addition.append($0, to: column) }
            }
            if id != .max, list.rows[id + 1] == nil {
                addition.beginRow(id + 1)
                for column in all { addition.append(.integer(1), to: column) }
            }
        }
        let added = cache.adding(addition.finish())
        #expect(all.allSatisfy { added.columns[$0] != nil } && added.rowCount == 5_000)
        var model = list
        for id in list.rows.keys where id % 5 == 0 {
            model.rows[id] = columns.kinds.map { _ in Cell.null }
        }
        added.expectCells(of: model, "\(columns.kinds)")
        let query = try ListQuery(of: model.description, by: .sections(by: 0))
        ArrangementChecker(
            try Snapshot(cache: added).opening(query.specification), query, model,
            "\(columns.kinds)"
        ).check(&random)
    }

    @Test func rowsOutOfOrderAreRefused() async {
        await #expect(processExitsWith: .failure) {
            var builder = ColumnCacheBuilder(descriptions: [], wanted: [])
            builder.beginRow(2)
            builder.beginRow(2)
        }
    }
}

/// A column of values that are nearly all different, which are not looked up while it is read in.
@Suite struct DistinctColumnTests {
    /// More rows than the values after which it is decided; the last ones repeat the first.
    private static let list: ModelList = {
        let distinct = DictionaryBuilder.fewestUntilDecision + 3_000
        return ModelList(
            (0..<distinct + 500).map { id in
                // Raw spellings that differ from their folded form, that don't, and none at all.
                let text = (id % 3 == 0 ? "Å-" : "a-") + String(id % distinct * 7_919 % distinct)
                return id % 1_000 == 999 ? .null : .text(text)
            })
    }()

    @Test func itsRowsAreOrderedAndFound() throws {
        let snapshot = Snapshot(of: Self.list)
        let column = snapshot.cache.column(0)
        let given = Set(Self.list.rows.values.map(\.[0])).count
        #expect(column.dictionary.count > given, "values were still looked up")
        for search in ["a-12", "Å-3", "9", "-"] {
            let query = try ListQuery(
                of: Self.list.description, by: .sections(by: 0), search: .init(search))
            let model = query.arrangement(of: Self.list)
            let rows = try snapshot.opening(query.specification).rows(query.specification)
            #expect(rows.rowIDs == model.rows)
            #expect(rows.sections(from: 0, count: .max) == model.sections)
        }
    }

    /// The table from values to codes is gone, so a known value gets one more entry.
    @Test func aValueThatComesAgainJoinsItsSection() throws {
        let before = try Snapshot(of: Self.list).opening(.byValue)
        let after = try before.after([.update(rowID: 4, cells: [0: .text("a-7919")])], revision: 1)
        after.checkInvariants()
        let rows = after.rows(.byValue)
        let section = try #require(rows.section(titled: "a-7919"))
        let run = try #require(rows.sections(from: section, count: 1).first)
        let ids = (run.first..<run.first + run.count).map { rows.rowID(at: $0) }
        #expect(ids.contains(4) && ids.contains(1))
    }

    /// Numbers among texts of a column that is not text: they, too, get a code each.
    @Test func numbersAmongDistinctTextsKeepTheirOrder() throws {
        let count = Int64(DictionaryBuilder.fewestUntilDecision + 9_000)
        let list = ModelList(
            (0..<count).map {
                $0 % 2 == 0 ? .integer($0 * 7_919 % 80_021) : .text("t\($0)")
            }, type: .integer)
        let query = try ListQuery(
            of: list.description, by: .sections(by: nil, rowOrder: [SortKey(column: 0)]))
        let rows = try Snapshot(of: list).opening(query.specification).rows(query.specification)
        #expect(rows.rowIDs == query.arrangement(of: list).rows)
    }

    @Test(arguments: [0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 1 << 24])
    func codesComeBackFromAChunkOfAnyWidth(width: UInt32) {
        for lowest in [0, 1, 70_000] as [UInt32] {
            // Codes + 1, and what is missing.
            let codes = [lowest + 1, 0, lowest + width + 1]
            let chunk = ColumnChunk(codes: codes)
            #expect(
                codes.indices.map { chunk[$0] } == [.code(lowest), .missing, .code(lowest + width)])
            var isMatch = [Bool](repeating: false, count: Int(lowest + width) + 1)
            isMatch[Int(lowest + width)] = true
            for isMissingMatch in [false, true] {
                var found = FoundSlots(slotCount: 3, wider: nil)
                isMatch.withUnsafeBufferPointer {
                    found.add(chunk, from: 0, isMatch: $0, isMissingMatch: isMissingMatch)
                }
                #expect(
                    found.finish(without: SlotSet()).words().prefix(1)
                        == [(width == 0 ? 5 : 4) + (isMissingMatch ? 2 : 0)])
            }
        }
    }
}
