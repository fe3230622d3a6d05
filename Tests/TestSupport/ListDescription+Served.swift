import ValetModel

extension ListDescription {
    /// The cars of a `TestServer`, for those who know their columns.
    package static let cars = ListDescription(named: "cars", epoch: TestServer.epoch)
}
