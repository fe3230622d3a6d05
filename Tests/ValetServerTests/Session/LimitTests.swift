import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Each limit of a conversation: what it allows works, one more is refused by its name.
@Suite struct LimitTests {
    @Test func viewsPerConnection() throws {
        var conversation = Conversation(FakeLists(count: 3))
        for stream in 1...UInt16(Limits.viewsPerConnection) {
            #expect(try conversation.open(stream: stream).opened != nil)
        }
        let actions = conversation.order(stream: 1_000)
        #expect(actions.error?.code == .limitExceeded)
        #expect(actions.error?.message == "views is limited to 64, asked for 65")
        _ = conversation.close(stream: 9)
        #expect(try conversation.open(stream: 1_000).opened != nil, "a closed one makes room")
    }

    @Test func waitingRequests() {
        var conversation = Conversation()
        func ask() -> [SessionAction] { conversation.detail() }
        for _ in 0..<Limits.waitingRequestsPerConnection { #expect(ask().said.isEmpty) }
        let refused = ask()
        #expect(refused.said == [.failed(65, .limitExceeded)])
        #expect(refused.error?.message.hasPrefix("waiting requests is limited to 64") == true)
        let catalog = conversation.ask {
            .catalogRequest(CatalogRequest(request: $0, countsRows: true))
        }
        #expect(catalog.said == [.failed(66, .limitExceeded)])
        let statistics = conversation.statistics()
        #expect(statistics.said == [.failed(67, .limitExceeded)])
        _ = conversation.session.finished(1, .failure(ValetError(.unknownRow, "gone")))
        #expect(ask().said.isEmpty, "an answered one makes room")
    }

    @Test func rowsPerWindow() throws {
        var conversation = try Conversation.opened(in: FakeLists(count: 2_000))
        #expect(conversation.window(rows: Limits.rowsPerWindow).window?.rows == 1_024)
        let refused = conversation.window(rows: 1_000_000)
        #expect(
            refused.error == .limit("rows per window", is: Limits.rowsPerWindow, asked: 1_000_000))
        #expect(conversation.window().window != nil, "the view goes on")
    }

    @Test func thousandsOfColumnsAreFoundByFoldedNamesAtOnce() throws {
        var wide = FakeLists.cars
        wide.columns = (0..<2_000).map { ColumnDescription(name: "Spalte \($0)", type: .integer) }
        let names = (0..<2_000).map { "SPALTE \(1_999 - $0)" }
        let start = ContinuousClock.now
        let columns = try ListHandle(number: 0, wide).columns(named: names + names)
        #expect(columns == Array((0..<2_000).reversed()))
        #expect(ContinuousClock.now - start < .seconds(1))
    }
}
