import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Whatever a person, or a program, may type into a search.
@Suite(.timeLimit(.minutes(5))) struct SearchTextTests {
    private func found(_ text: String, _ client: RawClient) async -> ViewOpened? {
        let opened = await client.open(Query(search: .init(text: text)))
        client.close()
        _ = await client.next()
        return opened
    }

    @Test func textsThatFoldToNothingFindAllRows() async throws {
        try await TestServer.serving { server in
            let client = try await server.client()
            let marks = String(repeating: "\u{301}\u{327}", count: 1_000)
            for text in ["", "\u{301}", marks] {
                let opened = await found(text, client)
                #expect(opened?.totalRows == 1_000)
                #expect(opened?.totalSections == 1, "as if there were no search")
            }
            #expect(try await client.statistics()[.searchesRun] == 0)
        }
    }

    @Test func oneCharacterIsASearch() async throws {
        try await TestServer.serving { server in
            let client = try await server.client()
            #expect(await found("9", client)?.totalRows == 271)
            #expect(await found("\u{0}", client)?.totalRows == 0)
            #expect(await found("語", client)?.totalRows == 0)
            let most = String(repeating: "a", count: Limits.bytesPerSearch)
            #expect(await found(most, client)?.totalRows == 0)
        }
    }

    @Test func tenThousandCharactersAreRefusedByTheNameOfTheLimit() async throws {
        try await TestServer.serving { server in
            for count in [Limits.bytesPerSearch + 1, 10_000] {
                let client = try await server.client()
                #expect(await client.open() != nil)
                let text = String(repeating: "ü", count: count / 2) + "ab"
                client.ask(stream: 1) {
                    RearrangeView(
                        request: $0, generation: 2, query: Query(search: .init(text: text)))
                }
                guard case .error(let answer) = await client.untilClosed().last else {
                    Issue.record("no error came")
                    continue
                }
                #expect(
                    answer.error
                        == .limit(
                            "bytes of search text", is: Limits.bytesPerSearch,
                            asked: text.utf8.count))
            }
        }
    }
}
