import TestSupport
import Testing
import ValetArrangement
import ValetModel

@testable import ValetServer

@Suite struct QueryResolverTests {
    private func resolve(
        grouping: String? = nil, sort: [Query.Sort] = [], search: String? = nil,
        scope: String? = nil, in list: ListDescription = FakeLists.cars
    ) throws(ValetError) -> ResolvedQuery {
        try ResolvedQuery(
            Query(
                grouping: grouping, sort: sort,
                search: search.map { Query.Search(text: $0, scope: scope) }),
            in: ListHandle(number: 0, list))
    }

    @Test func theFirstGroupingIsTheDefault() throws {
        let query = try resolve()
        #expect(query.grouping == "Make")
        #expect(query.specification.sectionColumn == 0)
        #expect(query.specification.rowOrder == [SortKey(column: 1)])
        #expect(query.specification.filter == nil)
    }

    @Test func anyColumnIsAGrouping() throws {
        let model = try resolve(grouping: "MODELE")
        #expect(model.grouping == "modèle")
        #expect(model.groupingColumn == 1)
        #expect(model.titles.indexTitles == .firstLetter)
        let year = try resolve(grouping: "year")
        #expect(year.specification.expression == .wholeValue)
        #expect(year.specification.rowOrder == [SortKey(column: 1)], "by title in a section")
        #expect(year.titles.indexTitles == .wholeValue)
    }

    @Test func anUnknownGroupingListsGroupingsAndColumns() {
        let error = failure { try resolve(grouping: "colour") }
        #expect(error?.code == .unknownGrouping)
        #expect(error?.alternatives == ["Make", "None", "make", "modèle", "year"])
    }

    @Test func aSortTakesThePlaceOfTheRowOrder() throws {
        let query = try resolve(sort: [.init(column: "Year", isDescending: true)])
        #expect(query.specification.rowOrder == [SortKey(column: 2, isDescending: true)])
        #expect(query.specification.sectionColumn == 0)
        let error = failure { try resolve(sort: [.init(column: "price")]) }
        #expect(error?.code == .unknownColumn)
        #expect(error?.alternatives == ["make", "modèle", "year"])
    }

    @Test func scopesSayWhereAndHowToSearch() throws {
        let any = try resolve(search: "x").specification
        #expect(any.text?.columns == [0, 1])
        #expect(any.text?.match == .contains)
        #expect(!any.isFlat)
        let model = try resolve(search: "x", scope: "MODEL").specification
        #expect(model.text?.columns == [1])
        #expect(model.text?.match == .beginsWith)
        #expect(model.isFlat)
    }

    @Test func theCurrentGroupingsColumnIsSearched() throws {
        let year = try resolve(grouping: "year", search: "19", scope: "grouping")
        #expect(year.specification.text?.columns == [2])
        let none = try resolve(grouping: "None", search: "19", scope: "grouping")
        #expect(none.specification.text?.columns == [0, 1], "all texts, without sections")
    }

    @Test func anUnknownScopeListsThoseThatThereAre() {
        let error = failure { try resolve(search: "x", scope: "all") }
        #expect(error?.code == .unknownScope)
        #expect(error?.alternatives == ["Any", "Grouping", "Model"])
        let none = failure { try resolve(search: "x", in: FakeLists.drivers) }
        #expect(none?.code == .unknownScope)
    }

    @Test func aSearchForNothingFindsAllRowsAndKeepsTheSections() throws {
        for text in ["", "\u{301}"] {
            let query = try resolve(search: text, scope: "Model")
            #expect(query.specification.filter == nil)
            #expect(query.isSectioned)
        }
    }

    @Test func flatAndUnsectionedViewsHaveNoIndex() throws {
        #expect(try resolve().hasIndex)
        #expect(try !resolve(grouping: "None").hasIndex)
        #expect(try !resolve(search: "x", scope: "Model").hasIndex)
    }
}

extension ArrangementSpecification {
    /// The only test of the filter, if that is a text.
    fileprivate var text: TextTest? {
        guard let tests = filter?.tests, tests.count == 1, case .text(let test)? = tests.first
        else { return nil }
        return test
    }
}
