import ValetClient
import ValetModel

/// What README shows of the library; a test compares the two.
func readmeExample(_ show: (Any...) -> Void) async throws {
    // README begins here.
    let station = Station(name: "desk", id: StationID(high: 1, low: 2))
    let connection = try await ValetConnection.connect(host: "127.0.0.1", station: station)
    let view = try await connection.openView(
        list: "cars", columns: ["make", "model"], Query(grouping: "Make"))
    let window = try await view.window(at: .ordinal(500_000), rows: 50)
    for case let row? in window.rows { show(row.id, row.cells) }
    for await newer in view.windows(at: .ordinal(0), rows: 50) {
        show(try newer.get().totalRows)
    }
    // README ends here.
}
