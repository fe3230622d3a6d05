import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct LookupTests {
    private func sections(
        _ request: UInt32, _ start: SectionsRequest.Start, _ most: Int
    ) -> ClientMessage {
        .sectionsRequest(
            SectionsRequest(request: request, generation: 1, start: start, mostSections: most))
    }

    @Test func anUnknownSectionIsAnsweredWithTitlesThatThereAre() throws {
        var conversation = try Conversation.opened()
        let actions = conversation.ask(stream: 1) { sections($0, .title("Trabant"), 1) }
        #expect(actions.error?.code == .unknownSection)
        #expect(actions.error?.alternatives == (0..<10).map { "Make \($0)" })
    }

    @Test func lookupsBeforeTheViewIsOpenAreUnexpected() throws {
        var conversation = Conversation()
        // Another client already shows the same arrangement.
        try conversation.open(stream: 2)
        _ = conversation.order(stream: 1)
        #expect(
            conversation.ask(stream: 1) { sections($0, .ordinal(0), 1) }.said
                == [.failed(3, .unexpected)])
    }

    @Test func wholeRowsAreReadElsewhereAndAnsweredOnStreamZero() {
        var conversation = Conversation()
        let cars = conversation.lists.catalog.handles[0]
        let detail = conversation.detail(stream: 6, list: "cars", rowID: 4)
        #expect(detail == [.readDetail(request: 1, cars, rowID: 4, of: nil)])
        let piece = conversation.ask(stream: 6) {
            .pieceRequest(
                PieceRequest(request: $0, list: "CARS", rowID: 4, column: "Modele", offset: 9))
        }
        #expect(piece == [.readPiece(request: 2, cars, rowID: 4, column: 1, offset: 9, of: nil)])
        let gone = ValetError(.unknownRow, "gone")
        let refused = conversation.session.finished(1, .failure(gone))
        #expect(refused.said == [.failed(1, .unknownRow)])
        #expect(refused.streams == [0])
        let bytes = PieceAnswer(request: 2, revision: 1, byteCount: 9, offset: 9, bytes: [])
        let actions = conversation.session.finished(2, .success([.pieceAnswer(bytes)]))
        #expect(actions.said == [.other(2)])
    }

    @Test func wholeRowsOfUnknownListsAndColumnsAreRefusedAtOnce() {
        var conversation = Conversation()
        let list = conversation.detail(stream: 3, list: "Boats", rowID: 4)
        #expect(list.said == [.failed(1, .unknownList)])
        #expect(list.streams == [0])
        let column = conversation.ask {
            .pieceRequest(
                PieceRequest(request: $0, list: "Cars", rowID: 4, column: "colour", offset: 0))
        }
        #expect(column.error?.alternatives == ["make", "modèle", "year"])
        #expect(conversation.session.waitingRequests == 0)
    }

    @Test func statisticsAreCollectedThenAnswered() {
        var conversation = Conversation()
        #expect(conversation.statistics() == [.collectStatistics(request: 1)])
        #expect(!conversation.session.isIdle)
        let answer = StatisticsAnswer(request: 1, statistics: ServerStatistics())
        let actions = conversation.session.finished(1, .success([.statisticsAnswer(answer)]))
        #expect(actions == [.send(.statisticsAnswer(answer), stream: 0)])
        #expect(conversation.session.isIdle)
    }

    @Test func aClosedConnectionGetsNoStatistics() {
        var conversation = Conversation()
        _ = conversation.statistics()
        _ = conversation.session.close(ValetError(.shuttingDown, "gone"))
        let answer = StatisticsAnswer(request: 1, statistics: ServerStatistics())
        #expect(conversation.session.finished(1, .success([.statisticsAnswer(answer)])).isEmpty)
    }
}
