import TestSupport
import Testing
import ValetClient
import ValetModel
import ValetTerminal

@testable import ValetCommands

/// Letters are typed faster than a view opens, and tasks begin in any order.
@Test func theNewestOfManyQuestionsIsAnswered() async throws {
    let folder = TemporaryFolder()
    let server = try await TestServer(folder.cars(20_000))
    let connection = try await ValetConnection.connect(
        host: "127.0.0.1", port: server.port,
        station: Station(name: "desk", id: StationID(high: 1, low: 2)))
    let list = try #require(try await connection.catalog().catalog.lists.first)
    func query(_ letters: String) -> SectionsQuery {
        let condition = Condition(column: "model", .contains, [.text(letters)])
        return SectionsQuery(
            list: list, question: Question(grouping: "model", conditions: [condition]),
            order: .byRows, first: 0, most: 64)
    }
    for _ in 0..<8 {
        let reader = SectionsReader(connection)
        let letters = "model 1999"
        let newest = UInt64(letters.count)
        let found = await withTaskGroup(of: Int?.self) { group in
            for number in 1...newest {
                group.addTask {
                    let query = query(String(letters.prefix(Int(number))))
                    let page = try? await reader.page(query, number: number)
                    return number == newest ? page?.totalSections ?? 0 : nil
                }
            }
            return await group.reduce(into: 0) { $0 = $1 ?? $0 }
        }
        // Model 1999 and Model 19990 to 19999.
        #expect(found == 11)
    }
    await connection.close()
    await server.server.stop()
}
