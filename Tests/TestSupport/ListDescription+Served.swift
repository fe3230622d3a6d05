import ValetModel

extension ListDescription {
    /// The cars of a `TestServer`, for those who know their columns.
    package static let cars = ListDescription(named: "cars", epoch: TestServer.epoch)
}

extension [ColumnDescription] {
    /// Columns of these names and types.
    package static func named(_ columns: KeyValuePairs<String, ColumnType>) -> Self {
        columns.map { ColumnDescription(name: $0.key, type: $0.value) }
    }
}
