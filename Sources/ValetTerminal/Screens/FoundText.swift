import ValetModel

/// What a search and conditions find in the cells, to be emphasized.
struct FoundText: Hashable, Sendable {
    private struct Piece: Hashable, Sendable {
        /// Folded.
        let text: [UInt8]
        /// nil for all columns.
        let columns: [Int]?
        var isAtStart = false
    }

    private var pieces: [Piece] = []

    /// - Parameter grouping: the column of the grouping that holds.
    init(_ query: Query, in list: ListDescription, grouping: Int?) {
        if let search = query.search { add(search, list, grouping) }
        for condition in query.conditions { add(condition, list) }
    }

    private mutating func add(_ search: Query.Search, _ list: ListDescription, _ grouping: Int?) {
        let place = search.scope.map { NameLookup.index(of: $0, in: list.scopes, by: \.name) } ?? 0
        guard let place, list.scopes.indices.contains(place) else { return }
        let scope = list.scopes[place]
        let columns: [Int]? =
            switch scope.columns {
            case .columns(let columns): columns
            case .currentGrouping: grouping.map { [$0] }
            }
        guard scope.match == .words else {
            let text = TextFolding.fold(search.text)
            pieces.append(
                Piece(text: text, columns: columns, isAtStart: scope.match == .beginsWith))
            return
        }
        for word in SearchWords(search.text).words {
            let text = TextFolding.fold(word)
            let all = columns ?? Array(list.columns.indices)
            let isText = { list.columns[checked: $0]?.isText }
            pieces.append(Piece(text: text, columns: all.filter { isText($0) == true }))
            guard SearchWords.digits(of: word) != nil else { continue }
            pieces.append(
                Piece(
                    text: text, columns: all.filter { isText($0) == false }, isAtStart: true))
        }
    }

    /// Only what is a part of a value: where all of it is wanted, every row has it.
    private mutating func add(_ condition: Condition, _ list: ListDescription) {
        guard condition.comparison == .contains || condition.comparison == .beginsWith,
            case .text(let text)? = condition.values.first,
            let column = NameLookup.index(of: condition.column, in: list.columns, by: \.name)
        else { return }
        pieces.append(
            Piece(
                text: TextFolding.fold(text), columns: [column],
                isAtStart: condition.comparison == .beginsWith))
    }

    func draw(_ column: Int?, on screen: inout Screen, row: Int, columns range: Range<Int>) {
        guard let column else { return }
        for piece in pieces where piece.columns?.contains(column) ?? true {
            screen.emphasize(piece.text, row: row, columns: range, isAtStart: piece.isAtStart)
        }
    }
}
