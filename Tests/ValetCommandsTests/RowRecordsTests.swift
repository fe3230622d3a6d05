import TestSupport
import Testing
import ValetClient
import ValetModel
import ValetStore

@testable import ValetCommands

/// The second row's long text is read whole after the window: by then it is gone from the file.
@Test func aRowThatIsDeletedMeanwhileIsStillWhole() async throws {
    let folder = TemporaryFolder()
    let long = String(repeating: "x", count: 5_000)
    let path = try folder.database(
        """
        PRAGMA journal_mode=wal; CREATE TABLE notes (text TEXT);
        INSERT INTO notes VALUES ('\(long)'), ('\(long)')
        """)
    let server = try await TestServer(path)
    let connection = try await ValetConnection.connect(
        host: "127.0.0.1", port: server.port,
        station: Station(name: "test", id: StationID(high: 1, low: 1)))
    let list = try await connection.catalog().catalog.list(named: "notes")
    let view = try await connection.openView(list: "notes", Query(), isPinned: true)
    let window = try await view.window(at: .ordinal(0), rows: 2)
    try Connection(path: path, access: .create).run("DELETE FROM notes WHERE rowid = 2")
    let records = RowRecords(connection: connection, list: list, view: view, keepsCuts: false)
    let texts = try await records.records(of: window).map {
        OutputValue.flattened($0).last?.value.plainText ?? ""
    }
    #expect(texts == [long, long])
    await connection.close()
    await server.server.stop()
}

@Test(
    arguments: [
        (0..<10, 0, nil, 0..<10), (0..<10, 3, 4, 3..<7), (0..<10, 8, 4, 8..<10),
        (0..<10, 10, 4, 10..<10), (0..<10, 11, 4, 10..<10), (0..<10, .max, .max, 10..<10),
        (0..<10, 0, .max, 0..<10), (0..<10, 3, 0, 3..<3), (0..<0, 0, nil, 0..<0),
        (0..<0, 5, 5, 0..<0),
        // In a section.
        (100..<110, 0, nil, 100..<110), (100..<110, 3, 4, 103..<107), (100..<110, 9, 4, 109..<110),
        (100..<110, 50, 4, 110..<110), (100..<100, 0, 1, 100..<100),
    ] as [(Range<Int>, Int, Int?, Range<Int>)])
func aWindowIsCutAndNotShifted(bounds: Range<Int>, at: Int, count: Int?, range: Range<Int>) {
    #expect(RowsCommand.range(of: bounds, at: at, count: count) == range)
}
