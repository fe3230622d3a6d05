import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// Numbers of requests and streams, and how many there may be.
@Suite struct NumberTests {
    @Test func requestNumbersPassOverZeroAndOverThoseThatWait() throws {
        var dialogue = Dialogue()
        let old = try dialogue.askCatalog().request
        #expect(old == 1)
        dialogue.session.lastRequest = .max - 1
        #expect(try dialogue.askCatalog().request == .max)
        #expect(try dialogue.askCatalog().request == 2, "0 is no number, and 1 still waits")
    }

    @Test func aWindowKeepsItsNumberUntilItsRowsAreHere() throws {
        var dialogue = try Dialogue.opened()
        let window = try dialogue.askWindow().window
        _ = dialogue.say(.windowAnswer(Cars.window(window)), stream: 1)
        dialogue.session.lastRequest = window.request - 1
        #expect(try dialogue.askCatalog().request == window.request + 1)
    }

    @Test func streamsAreTheLowestThatAreFree() throws {
        var dialogue = Dialogue()
        for number: UInt64 in 1...3 {
            #expect(try dialogue.askOpen(number).sent.stream == UInt16(number))
        }
        let close = try dialogue.close(2).request
        #expect(try dialogue.askOpen(4).sent.stream == 4, "a closing view still has its stream")
        let superseded = ErrorAnswer(request: 2, error: ValetError(.superseded, "closed"))
        _ = dialogue.say(.error(superseded), stream: 2)
        _ = dialogue.say(.viewClosed(ViewClosed(request: close)), stream: 2)
        #expect(try dialogue.askOpen(5).sent.stream == 2)
        #expect(throws: ValetError(.unknownView, "the view is closed")) {
            try dialogue.askWindow(2)
        }
    }

    @Test func aStreamWhoseViewFailedIsFree() throws {
        var dialogue = Dialogue()
        let open = try dialogue.askOpen(1).request
        let window = try dialogue.askWindow(1).request
        let error = ValetError(.unknownList, "no such list")
        let failed = dialogue.say(.error(ErrorAnswer(request: open, error: error)), stream: 1)
        let subscription = Subscription(stream: 1, request: window)
        #expect(
            failed == [
                .complete(open, .failure(error)), .deliver(.failed(error), to: subscription),
                .end(subscription), .end(Subscription(stream: 1, request: open)),
            ])
        let (again, stream) = try dialogue.askOpen(2).sent
        #expect(stream == 1)
        // What the first view had asked is answered while the second one has its stream.
        #expect(dialogue.say(.error(ErrorAnswer(request: window, error: error)), stream: 1) == [])
        #expect(dialogue.say(.viewOpened(Cars.opened(again)), stream: 1).count == 2)
    }

    @Test func moreViewsThanTheServerAllowsAreRefusedHere() throws {
        var dialogue = Dialogue { $0.views = 2 }
        _ = try dialogue.askOpen(1)
        _ = try dialogue.askOpen(2)
        #expect(throws: ValetError.limit("views", is: 2, asked: 3)) { try dialogue.askOpen(3) }
        _ = try dialogue.close(1)
        #expect(try dialogue.askOpen(3).sent.stream == 3, "the server closes the first before")
    }

    @Test func requestsBeyondWhatMayWaitAreHeldBack() throws {
        var dialogue = Dialogue { $0.waitingRequests = 2 }
        let sent = try (0..<4).map { _ in try dialogue.askDetail().sentMessages.count }
        #expect(sent == [1, 1, 0, 0])
        let answer = { (request: UInt32) in
            ServerMessage.detailAnswer(
                DetailAnswer(request: request, revision: 1, rowID: 1, cells: []))
        }
        let third = DetailRequest(request: 3, list: "cars", rowID: 1)
        let next = dialogue.say(answer(2))
        #expect(next.first == .send(.detailRequest(third), stream: 0))
        #expect(next.count == 2)
        #expect(dialogue.say(answer(4)).reason?.message.contains("rule P23") == true, "not sent")
    }

    @Test func aWindowThatWasHeldBackIsNotSentWhenANewerOneIsAsked() throws {
        var dialogue = Dialogue { $0.waitingRequests = 1 }
        try dialogue.open()
        let catalog = try dialogue.askCatalog().request
        for place in 0..<100 { _ = try dialogue.askWindow(at: .ordinal(place)) }
        let error = ErrorAnswer(request: catalog, error: ValetError(.storageFailed, "locked"))
        let windows = dialogue.say(.error(error)).sentMessages
        #expect(windows.count == 1)
        guard case .windowRequest(let window) = windows.first else { throw Unexpected("no window") }
        #expect(window.anchor == .ordinal(99))
    }

    @Test func requestsThatAreHeldBackAreBounded() throws {
        var dialogue = try Dialogue.opened()
        let most = Limits.requestsHeldBack + Limits.waitingRequestsPerConnection
        for _ in 0..<most { _ = try dialogue.askCatalog() }
        #expect(throws: ValetError.self) { try dialogue.askCatalog() }
        #expect(throws: ValetError.self) { try dialogue.askWindow() }
        #expect(dialogue.session.waiting.count == most)
        #expect(throws: Never.self) { try dialogue.close() }
    }

    @Test func aServerThatAllowsNothingIsLeft() {
        var welcome = Welcome(epoch: 7, server: "fake")
        welcome.rowsPerWindow = 0
        var dialogue = Dialogue(hello: Dialogue.hello)
        #expect(dialogue.say(.welcome(welcome)).reason?.code == .unexpected)
    }
}
