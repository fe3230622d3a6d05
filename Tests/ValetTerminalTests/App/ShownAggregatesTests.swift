import Testing
import ValetModel

@testable import ValetTerminal

/// Values go along with their sections when others come before them.
@Suite struct ShownAggregatesTests {
    private let sum = Measure(column: "fuel", function: .sum)

    private func section(_ ordinal: Int, _ title: String) -> ShownAggregates.Section {
        ShownAggregates.Section(ordinal: ordinal, title: title)
    }

    private func places(_ sections: ShownAggregates.Section...) -> ShownAggregates.Places {
        ShownAggregates.Places(generation: 1, sectionMeasures: [sum], sections: sections)
    }

    private func rows(_ revision: UInt64, _ version: UInt64) -> ShownAggregates.Rows {
        ShownAggregates.Rows(revision: revision, sectionsVersion: version, isFrozen: false)
    }

    private func answer(_ revision: UInt64, _ version: UInt64, _ values: [Int: Int64]) -> Aggregates
    {
        Aggregates(
            revision: revision, sectionsVersion: version, allRows: nil,
            sections: values.sorted { $0.key < $1.key }.map {
                .init(section: $0, rows: .init(count: 1, values: [.cell(.integer($1))]))
            })
    }

    private func value(_ shown: ShownAggregates, _ section: ShownAggregates.Section) -> Int64? {
        guard case .cell(.integer(let number)) = shown.value(sum, in: section) else { return nil }
        return number
    }

    private func ask(
        _ shown: inout ShownAggregates, _ rows: ShownAggregates.Rows, at milliseconds: Int
    ) throws -> WantedAggregates {
        let asked = shown.next(rows, at: milliseconds)
        return try #require(asked)
    }

    @Test func valuesGoAlongWithTheirSectionsTitles() throws {
        var shown = ShownAggregates()
        shown.show(places(section(0, "Audi"), section(1, "BMW")), rows(1, 1), at: 0)
        let asked = try ask(&shown, rows(1, 1), at: 150)
        shown.take(answer(1, 1, [0: 10, 1: 20]), to: asked, at: 150)
        #expect(shown.dueMilliseconds(rows(1, 1)) == nil)
        // An Alfa comes.
        let moved = places(section(0, "Alfa"), section(1, "Audi"), section(2, "BMW"))
        shown.show(moved, rows(2, 2), at: 200)
        #expect(moved.sections.map { value(shown, $0) } == [nil, 10, 20])
        // What is missing first, then what is old.
        let missing = try ask(&shown, rows(2, 2), at: 350)
        #expect(missing.sections == [0])
        shown.take(answer(2, 2, [0: 1]), to: missing, at: 350)
        let tooSoon = shown.next(rows(2, 2), at: 1_349)
        #expect(tooSoon == nil)
        let old = try ask(&shown, rows(2, 2), at: 1_350)
        #expect(old.sections == [1, 2])
        shown.take(answer(2, 2, [1: 11, 2: 21]), to: old, at: 1_350)
        #expect(moved.sections.map { value(shown, $0) } == [1, 11, 21])
    }

    @Test func ordinalsOfOtherSectionsAreNotMistakenForThese() throws {
        var shown = ShownAggregates()
        shown.show(places(section(0, "Audi")), rows(1, 1), at: 0)
        let asked = try ask(&shown, rows(1, 1), at: 150)
        // Before the answer an Alfa came, and the window says so later, or earlier.
        var later = shown
        later.take(answer(2, 2, [0: 1]), to: asked, at: 160)
        #expect(value(later, section(0, "Audi")) == nil)
        #expect(later.dueMilliseconds(rows(1, 1)) == 1_160)
        shown.show(places(section(1, "Audi")), rows(2, 2), at: 155)
        shown.take(answer(1, 1, [0: 10]), to: asked, at: 160)
        #expect(value(shown, section(1, "Audi")) == nil && value(shown, section(0, "Audi")) == nil)
        let next = shown.next(rows(2, 2), at: 305)
        #expect(next?.sections == [1])
    }

    @Test func afterABreakWhatIsKnownStaysAndIsAskedForAgain() throws {
        var shown = ShownAggregates()
        let audi = section(0, "Audi")
        shown.show(places(audi), rows(7, 1), at: 0)
        let asked = try ask(&shown, rows(7, 1), at: 150)
        shown.take(answer(7, 1, [0: 10]), to: asked, at: 150)
        // Another epoch, whose revisions begin anew.
        var again = places(audi)
        again.generation = 2
        shown.show(again, rows(1, 1), at: 5_000)
        let next = shown.next(rows(1, 1), at: 5_150)
        #expect(value(shown, audi) == 10 && next == asked)
        again.query.grouping = "Year"
        again.generation = 3
        shown.show(again, rows(1, 1), at: 6_000)
        #expect(value(shown, audi) == nil, "another query has other rows")
    }

    @Test func atMostAsManySectionsAreAskedForAsARequestTakes() throws {
        var shown = ShownAggregates()
        var many = places()
        many.sections = (0..<100).map { section($0, "\($0)") }
        shown.show(many, rows(1, 0), at: 0)
        let asked = try ask(&shown, rows(1, 0), at: 150)
        #expect(asked.sections == Array(0..<Limits.sectionsPerAggregates))
        let values = Dictionary(uniqueKeysWithValues: asked.sections.map { ($0, Int64(1)) })
        shown.take(answer(1, 0, values), to: asked, at: 150)
        let rest = shown.next(rows(1, 0), at: 150)
        #expect(rest?.sections == Array(64..<100))
    }
}
