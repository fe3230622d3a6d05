import Testing
import ValetModel

@testable import ValetArrangement

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
        let specification = ArrangementSpecification(sectionColumn: 0, expression: .wholeValue)
        let before = try Snapshot(of: Self.list).opening(specification)
        let after = try before.after([.update(rowID: 4, cells: [0: .text("a-7919")])], revision: 1)
        after.checkInvariants()
        let rows = after.rows(specification)
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
