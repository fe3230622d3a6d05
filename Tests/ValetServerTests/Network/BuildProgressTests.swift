import Dispatch
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// The progress reports of a slow build, with a clock that the test advances.
@Suite struct BuildProgressTests {
    /// A client that has asked for its list, which the only builder thread never gets to.
    private final class Waiting {
        let connection: EmbeddedConnection
        private let gate = DispatchSemaphore(value: 0)

        init() throws {
            connection = try EmbeddedConnection.greeted()
            let gate = gate
            connection.shared.builders.submit { _ in gate.wait() }
            try ask(stream: 1, request: 1)
        }

        func ask(stream: UInt16, request: UInt32, search: String? = nil) throws {
            let query = Query(search: search.map { .init(text: $0) })
            try connection.send(
                OpenView(request: request, generation: 7, list: "cars", query: query),
                stream: stream)
        }

        func close(stream: UInt16, request: UInt32) throws {
            try connection.send(CloseView(request: request), stream: stream)
        }

        /// All that was said since the last time about progress, as request and thousandths.
        func told(after milliseconds: Int64 = 0) throws -> [[UInt32]] {
            pass(milliseconds)
            var told: [[UInt32]] = []
            while let message = try connection.heard() {
                guard case .buildProgress(let progress) = message else { continue }
                #expect(progress.generation == 7)
                told.append([progress.request, progress.thousandths])
            }
            return told
        }

        func build(_ thousandths: Int) {
            let list = connection.shared.lists[0]
            for specification in list.keeper.waiting.keys {
                list.work(for: specification)?.progress.store(thousandths, ordering: .relaxed)
            }
        }

        func pass(_ milliseconds: Int64) { connection.pass(.milliseconds(milliseconds)) }

        /// Nobody may wait any more: the answer would come from another thread than the clock's.
        func end() async {
            _ = try? connection.channel.finish()
            gate.signal()
            await connection.end()
        }
    }

    @Test func progressIsReportedAfterAFifthOfASecondThenTenTimesASecond() async throws {
        let client = try Waiting()
        client.build(3)
        #expect(try client.told(after: 199) == [], "what is soon there needs no such words")
        #expect(try client.told(after: 1) == [[1, 3]])
        client.build(420)
        #expect(try client.told(after: 99) == [])
        #expect(try client.told(after: 1) == [[1, 420]])
        await client.end()
    }

    @Test func onlyMoreProgressIsReported() async throws {
        let client = try Waiting()
        #expect(try client.told(after: 200) == [[1, 0]], "that it has not begun is told once")
        #expect(try client.told(after: 1_000) == [])
        client.build(500)
        client.pass(100)
        client.build(400)
        #expect(try client.told(after: 300) == [[1, 500]])
        client.build(5_000)
        #expect(try client.told(after: 100) == [[1, 1_000]], "never more than all")
        await client.end()
    }

    @Test func everyViewGetsItsOwnProgress() async throws {
        let client = try Waiting()
        client.pass(150)
        try client.ask(stream: 2, request: 2, search: "a")
        #expect(try client.told(after: 50) == [[1, 0]])
        client.pass(150)
        client.build(10)
        #expect(try client.told(after: 50) == [[2, 0], [1, 10]])
        await client.end()
    }

    @Test func nothingIsReportedAfterTheAnswer() async throws {
        let client = try Waiting()
        #expect(try client.told(after: 200) == [[1, 0]])
        client.build(100)
        try client.close(stream: 1, request: 2)
        #expect(try client.told(after: 60_000) == [])
        #expect(client.connection.handler.progressTimer == nil, "no timer without a wait")
        await client.end()
    }

    @Test func aClientThatDoesNotReadGetsProgressLater() async throws {
        let client = try Waiting()
        client.connection.channel.isWritable = false
        client.build(1)
        #expect(try client.told(after: 500) == [])
        client.connection.channel.isWritable = true
        client.build(2)
        #expect(try client.told(after: 100) == [[1, 2]])
        await client.end()
    }

    @Test func anAnswerThatComesAtOnceSetsNoTimer() async throws {
        let connection = try EmbeddedConnection.greeted()
        try connection.send(
            OpenView(request: 1, generation: 1, list: "none", query: Query()), stream: 1)
        #expect(connection.handler.progressTimer == nil)
        await connection.end()
    }
}
