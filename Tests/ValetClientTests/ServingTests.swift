import Foundation
import Testing
import ValetModel

@testable import ValetClient

@Suite struct ServingTests {
    @Test func aViewShowsItsRows() async throws {
        try await LocalServer.run("/work/shared/data/chinook.sqlite") { connection in
            let (catalog, counts) = try await connection.catalog()
            print(catalog.lists.map(\.name), counts)
            let view = try await connection.openView(list: "Track", Question())
            print(view.summary)
            let window = try await view.window(at: .ordinal(1_000), rows: 5)
            print(window)
            print(try await view.index(most: 40))
            print(try await view.rearrange(Question(grouping: "genreid", search: .init(text: "love"))))
            print(try await view.window(at: .ordinal(10), rows: 3))
            print(try await view.sections(from: 0, count: 5))
        }
    }
}
