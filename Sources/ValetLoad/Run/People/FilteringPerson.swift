import ValetModel

/// Narrows the list by what stands in its rows: adds conditions with values of rows on the screen,
/// drops them again, types a word beside them, sorts, and looks at what is left.
struct FilteringPerson: Person {
    var numbers: SeededNumbers
    let sample: ListSample
    var query = Query()
    /// Windows to look at before the query changes.
    var looks = 1

    private static let mostConditions = 4

    mutating func next(_ seen: Seen) -> Step {
        let pause = numbers.pause(80...500)
        guard looks == 0 else {
            looks -= 1
            let place = numbers.below(3) == 0 ? numbers.place(in: seen) : seen.nextScreen
            return Step(after: pause, .show(place))
        }
        if seen.rows == 0 {
            dropSomething()
        } else {
            change(seen)
        }
        // Who is about to choose the next condition does not wait.
        let isPassing = numbers.happens(perThousand: 100)
        looks = isPassing ? 0 : 1 + numbers.below(3)
        return Step(after: pause, isPassing ? .askInPassing(query) : .ask(query))
    }

    private mutating func change(_ seen: Seen) {
        switch numbers.below(10) {
        case 0: dropSomething()
        case 1 where !sample.groupings.isEmpty:
            query.grouping = numbers.choice(of: sample.groupings)
        case 2 where !sample.columns.isEmpty:
            query.sort =
                numbers.choice(of: sample.columns).map {
                    [Query.Sort(column: $0.name, isDescending: numbers.below(2) == 0)]
                } ?? []
        case 3 where !sample.words.isEmpty && !sample.scopes.isEmpty:
            let word = numbers.choice(of: sample.words)?.prefix(3) ?? ""
            query.search = .init(text: String(word), scope: numbers.choice(of: sample.scopes))
        default:
            if query.conditions.count < Self.mostConditions, let condition = condition(seen) {
                query.conditions.append(condition)
            } else {
                dropSomething()
            }
        }
    }

    private mutating func dropSomething() {
        let isWordDropped = query.search != nil && numbers.below(3) == 0
        if isWordDropped || query.conditions.isEmpty {
            query.search = nil
        } else {
            query.conditions.remove(at: numbers.below(query.conditions.count))
        }
    }

    // MARK: - Conditions

    /// One that the row on the screen meets, or is next to meeting.
    private mutating func condition(_ seen: Seen) -> Condition? {
        let known = zip(seen.columns, seen.row?.cells ?? []).filter {
            sample.columns.indices.contains($0.0)
        }
        guard let (place, cell) = numbers.choice(of: known) else { return nil }
        let column = sample.columns[place]
        let condition: Condition
        switch value(of: cell, column) {
        case nil:
            condition = Condition(column: column.name, cell.isMissing ? .isMissing : .isPresent)
        case let value? where column.type == .boolean:
            condition = Condition(column: column.name, .isOneOf, [value])
        case .text(let text)? where column.isText && numbers.below(2) == 0:
            let isBeginning = numbers.below(2) == 0
            let words = isBeginning ? [text[...]] : text.split(separator: " ")
            let word = numbers.choice(of: words) ?? text[...]
            let part = String(word.prefix(1 + numbers.below(4)))
            condition = Condition(
                column: column.name,
                isBeginning ? .beginsWith : numbers.below(4) == 0 ? .doesNotContain : .contains,
                [.text(part)])
        case let value?:
            let comparisons: [Comparison] = [
                .isOneOf, .isOneOf, .isNoneOf, .below, .atMost, .above, .atLeast, .isPresent,
                .between,
            ]
            let comparison = comparisons[numbers.below(comparisons.count)]
            let count = comparison.valueCounts.lowerBound
            condition = Condition(
                column: column.name, comparison, Array(repeating: value, count: count))
        }
        return condition.refusal(in: column) == nil ? condition : nil
    }

    /// What a condition compares with: of a date its year, month or day. nil for what has no
    /// comparison.
    private mutating func value(of cell: Cell, _ column: ColumnDescription) -> Cell? {
        if cell.isMissing { return nil }
        switch cell {
        case .integer(let second) where column.type == .date:
            let time = CivilTime(secondsSince1970: second)
            return .text(String(CivilTime.isoDay(time.days).prefix([4, 7, 10][numbers.below(3)])))
        case .text(let text) where column.type == .date:
            return .text(String(text.prefix([4, 7, 10][numbers.below(3)])))
        case .integer, .real, .text: return cell
        case .null, .malformedText, .cutText, .blob: return nil
        }
    }
}
