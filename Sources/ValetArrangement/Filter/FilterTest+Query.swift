import ValetModel

/// The searches and conditions of a query, as tests of rows.
extension FilterTest {
    /// No tests if nothing is searched for.
    package static func tests(
        of text: String, _ scope: Scope, _ grouping: Grouping, in list: ListDescription
    ) throws(ValetError) -> [FilterTest] {
        let columns = scope.columns(grouping, in: list)
        var tests: [FilterTest] = []
        switch scope.match {
        case .contains, .beginsWith:
            let test = TextTest(
                text: text, columns: columns, match: scope.match, lengths: scope.lengths)
            tests += [test].compactMap { $0.map(FilterTest.text) }
        case .words:
            let words = SearchWords(text).words
            guard words.count <= Limits.wordsPerSearch else {
                throw .limit("words per search", is: Limits.wordsPerSearch, asked: words.count)
            }
            tests += words.compactMap { word in
                let digits = SearchWords.digits(of: word)
                return TextTest(
                    text: word, columns: columns.filter { list.columns[$0].isText },
                    match: .contains, lengths: scope.lengths,
                    beginnings: digits == nil ? [] : columns.filter { !list.columns[$0].isText },
                    digits: digits
                ).map(FilterTest.text)
            }
        }
        guard !tests.isEmpty else { return [] }
        for condition in scope.conditions {
            tests += try Self.tests(of: condition, in: list)
        }
        return tests
    }

    /// None for a condition that all rows meet: a text without letters is in every value.
    package static func tests(
        of condition: Condition, in list: ListDescription
    ) throws(ValetError) -> [FilterTest] {
        try tests(of: condition, on: try list.column(named: condition.column), in: list)
    }

    /// The same where the column was looked up.
    package static func tests(
        of condition: Condition, on column: Int, in list: ListDescription
    ) throws(ValetError) -> [FilterTest] {
        guard condition.comparison == .between, condition.values.count == 2 else {
            return [try FilterTest(condition, of: column, in: list)].compactMap(\.self)
        }
        let bounds = [
            Condition(column: condition.column, .atLeast, [condition.values[0]]),
            Condition(column: condition.column, .atMost, [condition.values[1]]),
        ]
        var tests: [FilterTest] = []
        for bound in bounds { tests += try Self.tests(of: bound, on: column, in: list) }
        return tests
    }

    private init?(
        _ condition: Condition, of column: Int, in list: ListDescription
    ) throws(ValetError) {
        let description = list.columns[column]
        if let reason = condition.refusal(in: description) {
            throw ValetError(.invalidCondition, reason)
        }
        if let test = ConditionTest(
            condition.comparison, condition.values, column: column, of: description)
        {
            self = .values(test)
            return
        }
        guard case .text(let text)? = condition.values.first else { return nil }
        if condition.comparison == .doesNotContain {
            if let test = TextTest(text: text, columns: [column], match: .contains) {
                self = .lacking(test)
                return
            }
            // A text without letters is in every value.
            guard let none = ConditionTest(.isOneOf, [], column: column, of: description) else {
                return nil
            }
            self = .values(none)
            return
        }
        let isDate = description.type == .date
        guard
            let test = TextTest(
                text: text, columns: isDate ? [] : [column],
                match: condition.comparison == .contains ? .contains : .beginsWith,
                beginnings: isDate ? [column] : [])
        else { return nil }
        self = .text(test)
    }
}

extension ListDescription {
    /// The rows of the table that the list has; nil for all.
    package func filter() throws(ValetError) -> Filter? {
        var tests: [FilterTest] = []
        for condition in conditions {
            tests += try FilterTest.tests(of: condition, in: self)
        }
        return Filter(tests)
    }
}

extension Snapshot {
    /// nil if it is not known how many of the table's rows are the list's.
    package func rowCount(of list: ListDescription) -> Int? {
        do throws(ValetError) {
            return rowCount(passing: try list.filter())
        } catch {
            return nil
        }
    }
}

extension Scope {
    fileprivate func columns(_ grouping: Grouping, in list: ListDescription) -> [Int] {
        switch columns {
        case .columns(let columns): return columns
        case .currentGrouping:
            if let column = grouping.column { return [column] }
            // Without sections there is no such column, so all text columns are searched.
            return list.columns.indices.filter { list.columns[$0].isText }
        }
    }
}
