import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// The updates of a view's windows, and their order.
@Suite struct WindowUpdateTests {
    @Test func aWindowGrowsUntilItIsComplete() throws {
        let server = try EmbeddedServer(views: [1])
        let told = server.askWindow(1, at: 5, rows: 20)
        try server.answerWindow()
        #expect(told.counts == [0], "headers and places first")
        try server.sayPage(1)
        try server.sayPage(0)
        try server.sayPage(2)
        #expect(told.counts == [0, 10, 15, 20])
        let window = try #require(try told.results.last?.get())
        #expect(window.rows.map { $0?.id } == (5..<25).map(Int64.init))
        #expect(window.rows[3]?.cells == [.integer(80), .integer(81)])
        try server.sayPage(2)
        #expect(told.results.count == 4, "complete is the end")
    }

    @Test func aPageThatCameAheadIsThereWhenItIsShown() throws {
        let server = try EmbeddedServer(views: [1])
        try server.sayPage(0)
        let told = server.askWindow(1)
        let request = try server.heardWindow()
        #expect(request.held.map(\.rawValue) == [0])
        try server.say(Cars.window(request), stream: 1)
        #expect(told.counts == [10])
        #expect(try told.results.last?.get().rows[9]?.cells == [.integer(90), .integer(91)])
    }

    @Test func aMalformedPageThatCameAheadEndsTheConnectionWhenItIsShown() throws {
        let server = try EmbeddedServer(views: [1])
        // Ten rows of two columns, ten row ids, and a column encoding that there is not.
        let bytes = ByteBuffer(bytes: [10, 2] + Array(repeating: 0, count: 10) + [9])
        let sizes = PageFrame.Sizes(rawBytes: 13, encodedBytes: 13, isCompressed: false)
        var frame = ByteBuffer()
        PageFrame(name: PageName(rawValue: 0), sizes: sizes, part: bytes).encode(into: &frame)
        try server.say(frame)
        let told = server.askWindow(1)
        try server.answerWindow()
        #expect(told.error == .malformed)
        #expect(server.handler.failure?.code == .malformed)
        #expect(!server.channel.isActive)
    }

    @Test func anEmptyWindowIsCompleteAtOnce() throws {
        let server = try EmbeddedServer(views: [1])
        let told = server.askWindow(1, at: 1_000)
        try server.answerWindow()
        #expect(told.counts == [0])
        #expect(try told.results.last?.get().isComplete == true)
    }

    @Test func aNewerWindowEndsTheOlderOne() throws {
        let server = try EmbeddedServer(views: [1])
        let first = server.askWindow(1)
        let second = server.askWindow(1, at: 100)
        #expect(first.error == .superseded, "although it was not answered yet")
        let requests = [try server.heardWindow(), try server.heardWindow()]
        try server.say(Cars.window(requests[0]), stream: 1)
        #expect(first.results.count == 1 && second.results.isEmpty)
        try server.say(Cars.window(requests[1]), stream: 1)
        try server.sayPage(0)
        try server.sayPage(10)
        #expect(second.counts == [0, 10])
        #expect(first.results.count == 1)
    }

    @Test func theNewerWindowKeepsWhatItCalledHeld() throws {
        let server = try EmbeddedServer(views: [1])
        let first = server.askWindow(1, rows: 20)
        try server.answerWindow()
        try server.sayPage(0)
        try server.sayPage(1)
        #expect(first.counts.last == 20)
        // Elsewhere, then back: the answer of the first comes between, and the store forgets.
        _ = server.askWindow(1, at: 500)
        let back = server.askWindow(1, rows: 20)
        let requests = [try server.heardWindow(), try server.heardWindow()]
        #expect(Set(requests[1].held.map(\.rawValue)) == [0, 1])
        try server.say(Cars.window(requests[0]), stream: 1)
        for number in 100..<100 + UInt64(Limits.pagesKept) * 2 {
            try server.sayPage(number, first: 0, rows: 1)
        }
        try server.say(Cars.window(requests[1]), stream: 1)
        #expect(back.counts == [20], "held pages are not sent again, and not needed")
    }

    @Test func aRequestThatFailsEndsItsWindowOnly() throws {
        let server = try EmbeddedServer(views: [1, 2])
        let lost = server.askWindow(1)
        let other = server.askWindow(2)
        let requests = [try server.heardWindow(), try server.heardWindow()]
        let error = ValetError(.unknownRow, "the row is not in this view")
        try server.say(ErrorAnswer(request: requests[0].request, error: error), stream: 1)
        #expect(lost.error == .unknownRow)
        try server.say(Cars.window(requests[1]), stream: 2)
        try server.sayPage(0)
        #expect(other.counts == [0, 10])
    }

    @Test func aPageThatCantBeReadEndsTheWindow() throws {
        let server = try EmbeddedServer(views: [1])
        let told = server.askWindow(1)
        try server.answerWindow()
        let error = ValetError(.storageFailed, "locked")
        try server.say(ErrorAnswer(request: 0, error: error), stream: 1)
        #expect(told.error == .storageFailed)
        let again = server.askWindow(1)
        try server.answerWindow()
        try server.sayPage(0)
        #expect(again.counts == [0, 10], "the view is usable")
    }

    @Test func closingAViewEndsItsWindow() throws {
        let server = try EmbeddedServer(views: [1])
        let told = server.askWindow(1)
        try server.answerWindow()
        server.handler.close(EmbeddedServer.view(1)) { _ in }
        let close = try server.heard(CloseView.self).request
        try server.say(ViewClosed(request: close), stream: 1)
        #expect(told.error == .superseded)
        #expect(server.askWindow(1).error == .unknownView)
    }

    @Test func viewsShareThePagesThatCome() throws {
        let server = try EmbeddedServer(views: [1, 2])
        let told = [server.askWindow(1), server.askWindow(2, at: 5)]
        try server.answerWindow()
        try server.answerWindow(stream: 2)
        try server.sayPage(0)
        #expect(told.map(\.counts) == [[0, 10], [0, 5]])
        try server.sayPage(1)
        #expect(told[1].counts == [0, 5, 10])
    }

    @Test(arguments: [(9, 2), (10, 3), (10, 1), (10, 0)])
    func aPageOfAnotherShapeEndsTheConnection(rows: Int, columns: Int) throws {
        let server = try EmbeddedServer(views: [1])
        let told = server.askWindow(1)
        try server.answerWindow()
        try server.sayPage(0, rows: rows, columns: columns)
        #expect(told.error == .malformed)
        #expect(!server.channel.isActive)
    }
}
