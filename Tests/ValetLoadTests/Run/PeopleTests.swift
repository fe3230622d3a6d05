import Testing
import ValetClient
import ValetModel

@testable import ValetLoad

private let sample = ListSample(
    columns: [
        ColumnDescription(name: "make", type: .text),
        ColumnDescription(name: "year", type: .integer),
        ColumnDescription(name: "parked", type: .date),
        ColumnDescription(name: "washed", type: .boolean),
    ],
    words: ["Citroën", "Kangoo", "Berlingo", "Smith"], groupings: ["A–Z", "make", "None"],
    scopes: ["Any", "make"])

/// What a person does, seeing what their own actions would show.
private func steps(
    _ scenario: Scenario, station: Int = 0, seed: UInt64 = 3, rows: Int = 10_000,
    count: Int = 500
) -> [Step] {
    var person = scenario.person(at: station, seed: seed, clients: 10, sample: sample)
    var seen = Seen(rows: rows)
    seen.columns = [3, 0, 1, 2]
    let cells: [Cell] = [.integer(1), .text("Citroën Kangoo"), .integer(2_015), .integer(86_400)]
    seen.row = rows == 0 ? nil : Row(id: 7, cells: cells)
    return (0..<count).map { _ in
        let step = person.next(seen)
        switch step.action {
        case .show(let place, _, _): seen.first = place
        case .ask, .askInPassing:
            (seen.first, seen.index) = (0, [])
        case .openIndex:
            seen.index = [IndexEntry(title: "A", section: 0, first: 0)]
            seen.sections = 26
        case .jump(let entry): seen.first = entry.first
        case .showEnd, .showAround, .readSections, .locate, .readDetail, .reconnect, .neglect,
            .follow, .change, .rest:
            break
        }
        return step
    }
}

/// The queries among them.
private func queries(_ scenario: Scenario, count: Int) -> [Query] {
    steps(scenario, count: count).compactMap { step in
        switch step.action {
        case .ask(let query), .askInPassing(let query): query
        default: nil
        }
    }
}

@Test(arguments: Scenario.allCases)
func theSameSeedDoesTheSame(_ scenario: Scenario) {
    #expect(steps(scenario) == steps(scenario))
}

@Test(arguments: [Scenario.scroll, .jump, .search, .filter, .index, .mixed, .storm, .slow])
func anotherSeedOrStationDoesSomethingElse(_ scenario: Scenario) {
    #expect(steps(scenario) != steps(scenario, seed: 4))
    #expect(steps(scenario) != steps(scenario, station: 1))
}

@Test(arguments: Scenario.allCases, [0, 1, 49, 50, 10_000])
func peopleStayInsideTheList(_ scenario: Scenario, _ rows: Int) {
    for station in 0..<10 {
        for step in steps(scenario, station: station, rows: rows) {
            #expect(step.pause >= .zero && step.pause < .seconds(3))
            if case .show(let place, _, _) = step.action {
                #expect((0..<max(1, rows)).contains(place))
            }
        }
    }
}

@Test func aScrollingPersonDoesAllThatPeopleDo() {
    let actions = steps(.scroll, count: 5_000).map(\.action)
    let shown = actions.compactMap { action -> (velocity: Int, isSettled: Bool)? in
        guard case .show(_, let velocity, let isSettled) = action else { return nil }
        return (velocity, isSettled)
    }
    #expect(shown.count == actions.count)
    let velocities = Set(shown.map(\.velocity))
    #expect(velocities.contains { $0 > 10_000 } && velocities.contains { $0 < -10_000 })
    #expect(velocities.isSuperset(of: [30, -30]))
    #expect(Set(shown.map(\.isSettled)) == [true, false])
    #expect(steps(.scroll, count: 5_000).contains { $0.pause > .milliseconds(200) })
}

@Test func aSearchingPersonTypesLetterByLetterAndCorrects() {
    let texts = queries(.search, count: 2_000).map { $0.search?.text ?? "" }
    let pairs = Array(zip(texts, texts.dropFirst()))
    // Each text is one key away from the last, or the field is emptied, or a word begins.
    for (before, after) in pairs {
        let isKey = after.dropLast() == before || before.dropLast() == after
        #expect(isKey || after.count <= 1, "\(before) → \(after)")
    }
    #expect(pairs.contains { $0.0.hasSuffix("x") && $0.0.dropLast() == $0.1 })
    #expect(texts.contains("Cit"))
    #expect(texts.contains(""))
}

@Test func aFilteringPersonAddsConditionsThatRowsMeetAndDropsThem() {
    let queries = queries(.filter, count: 3_000)
    let counts = queries.map(\.conditions.count)
    #expect(counts.max() == 4 && counts.contains(0))
    #expect(zip(counts, counts.dropFirst()).contains { $1 < $0 })
    let conditions = Set(queries.flatMap(\.conditions))
    #expect(Set(conditions.map(\.column)) == ["make", "year", "parked", "washed"])
    #expect(conditions.contains(Condition(column: "year", .atLeast, [.integer(2_015)])))
    #expect(conditions.contains(Condition(column: "parked", .isOneOf, [.text("1970-01")])))
    #expect(conditions.contains(Condition(column: "washed", .isOneOf, [.integer(1)])))
    #expect(conditions.contains(Condition(column: "make", .contains, [.text("Kan")])))
    for condition in conditions {
        let column = sample.columns.first { $0.name == condition.column }
        #expect(column.map(condition.refusal) == .some(nil), "\(condition)")
        #expect(condition.comparison.valueCounts.contains(condition.values.count))
    }
    #expect(queries.contains { $0.search != nil } && queries.contains { !$0.sort.isEmpty })
}

@Test func inAStormEveryoneHangsUpAfterALook() {
    let actions = steps(.storm, count: 10).map(\.action)
    for (index, action) in actions.enumerated() {
        #expect((action == .reconnect) == (index % 2 == 1))
    }
}

@Test func silentStationsComeBesideAFewThatScroll() {
    #expect(Scenario.idle.stations(clients: 5_000) == 5_050)
    #expect(Scenario.idle.stations(clients: 1) == 2)
    let people = (0..<5_050).map {
        Scenario.idle.person(at: $0, seed: 1, clients: 5_000, sample: sample)
    }
    #expect(people.count { !$0.isBystander } == 50)
    #expect(Scenario.idle.clientsThatAsk(5_000) == 50)
}

@Test func oneInFiveIsSlow() {
    let people = (0..<50).map { Scenario.slow.person(at: $0, seed: 1, clients: 50, sample: sample) }
    #expect(people.count(where: \.isBystander) == 10)
    #expect(Scenario.slow.clientsThatAsk(50) == 40)
    func reads(_ step: Step) -> Bool? {
        if case .neglect(_, let reads) = step.action { reads } else { nil }
    }
    #expect(steps(.slow, station: 4).allSatisfy { reads($0) == false })
    #expect(steps(.slow, station: 9).contains { reads($0) == true })
}

@Test func theListThatIsEditedKeepsItsLength() {
    var person = EditingPerson(numbers: SeededNumbers(seed: 3, index: 0))
    func changes(rows: Int) -> [ValetLoad.RowAction] {
        (0..<500).compactMap { _ in
            if case .change(let change) = person.next(Seen(rows: rows)).action {
                change
            } else {
                nil
            }
        }
    }
    let atFirst = changes(rows: 100)
    #expect(atFirst.contains(.insert) && !atFirst.contains(.delete))
    let grown = changes(rows: 101)
    #expect(grown.contains(.delete) && !grown.contains(.insert))
    #expect(changes(rows: 99).contains(.insert))
}
