import TestSupport
import Testing
import ValetClient
import ValetModel

@testable import ValetCommands
@testable import ValetTerminal

/// Values of a column, read beside the list's own view.
@Suite struct SectionsReaderTests {
    private let folder = TemporaryFolder()

    /// Sends the requests of each round at once, and takes what comes until the last is answered.
    /// - Parameter change: what is done to the list after each round.
    /// - Returns: the answers by the number of the request.
    private func pages(
        _ rounds: (ListDescription) -> [[WantedSections]],
        after change: (ValetStation, ListDescription) async throws -> Void = { _, _ in }
    ) async throws -> [UInt64: Result<SectionsPage, ValetError>] {
        let server = try await TestServer(folder.cars(20_000))
        let port = server.port
        let station = try await ValetStation.connect { () async throws(ValetError) in
            try await ValetConnection.connect(
                host: "127.0.0.1", port: port,
                station: Station(name: "desk", id: StationID(high: 1, low: 2)))
        }
        let connection = try #require(station.connection)
        let list = try #require(try await connection.catalog().catalog.lists.first)
        let (changes, changed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let queue = EventQueue { changed.yield() }
        let reader = SectionsReader(connection, queue: queue, outstanding: Outstanding())
        var pages: [UInt64: Result<SectionsPage, ValetError>] = [:]
        var number: UInt64 = 0
        for round in rounds(list) {
            for request in round {
                number += 1
                reader.read(request, CallToken(number: number))
            }
            for await _ in changes {
                for event in queue.takeAll() {
                    switch event {
                    case .sectionsOpened(let number, let summary): reader.opened(number, summary)
                    case .app(.answer(let token, .success(.sections(let page)))):
                        pages[token.number] = .success(page)
                    case .app(.answer(let token, .failure(let error))):
                        pages[token.number] = .failure(error)
                    default: break
                    }
                }
                if pages[number] != nil { break }
            }
            try await change(station, list)
        }
        await connection.close()
        await server.server.stop()
        return pages
    }

    private func request(
        _ list: ListDescription, letters: String, grouping: String = "model", first: Int = 0
    ) -> WantedSections {
        let condition = Condition(column: "model", .contains, [.text(letters)])
        return WantedSections(
            list: list, query: Query(grouping: grouping, conditions: [condition]),
            order: .byRows, first: first, most: 64)
    }

    /// Letters are typed faster than a view opens.
    @Test func answersTheNewestOfManyQueries() async throws {
        let letters = "model 1999"
        let pages = try await pages { list in
            [(1...letters.count).map { request(list, letters: String(letters.prefix($0))) }]
        }
        // Model 1999 and Model 19990 to 19999.
        #expect(try pages[10]?.get().totalSections == 11)
        #expect(pages.count == 1, "a newer one took the place of all others")
    }

    @Test func answersTheNextPageOfAQueryThatIsBeingAsked() async throws {
        let pages = try await pages { list in
            [[request(list, letters: "model 19"), request(list, letters: "model 19", first: 64)]]
        }
        let page = try #require(pages[2]).get()
        #expect(page.totalSections == 1_111)
        #expect(page.sections.count == 64)
    }

    @Test func countsAgainWhatHasChangedSince() async throws {
        let pages = try await pages { list in
            [[request(list, letters: "model 1999")], [request(list, letters: "model 1999")]]
        } after: {
            _ = try await $0.submit(.delete([RowDeletion(rowID: 2_000)]), list: $1)
        }
        #expect(try pages[1]?.get().totalRows == 11)
        #expect(try pages[2]?.get().totalRows == 10)
    }

    @Test func opensAnotherViewAfterOneThatFailed() async throws {
        let pages = try await pages { list in
            [
                [request(list, letters: "model 1999", grouping: "no such column")],
                [request(list, letters: "model 1999")], [request(list, letters: "model 19999")],
            ]
        }
        #expect(throws: ValetError.self) { try pages[1]?.get() }
        #expect(try pages[2]?.get().totalSections == 11)
        #expect(try pages[3]?.get().totalSections == 1)
    }
}
