import Testing
import ValetModel

@testable import ValetTerminal

/// Which answers are still waited for.
@Suite struct CallsTests {
    private var calls = Calls()

    private static let view = ServerCall.openView(
        list: PlainCars.cars, query: Query(), generation: 1, columns: [0])
    private static let window = ServerCall.window(
        generation: 1, anchor: .ordinal(0), rowsBefore: 0, rows: 9, velocity: 0, isSettled: true)
    private static let detail = ServerCall.detail(list: "cars", rowID: 7)

    private mutating func begin(_ call: ServerCall) -> CallToken {
        guard case .server(let token, _) = calls.begin(call) else { return CallToken(number: 0) }
        return token
    }

    @Test mutating func aNewerCallTakesThePlaceOfTheOneBefore() {
        let old = begin(.index(generation: 1, count: 9))
        let new = begin(.index(generation: 2, count: 9))
        #expect(calls.call(old) == nil && calls.call(new) != nil)
        // Whatever comes late leaves the newer one alone.
        calls.end(old)
        #expect(calls.call(in: .index) != nil)
        calls.end(new)
        #expect(calls.call(new) == nil && calls.call(in: .index) == nil)
    }

    @Test mutating func aRequestOfAViewEndsWithIt() {
        let first = begin(Self.view)
        let ofView = [
            Self.window, .index(generation: 1, count: 9), .section(generation: 1, title: "a"),
            .pinView(generation: 1),
        ].map { begin($0) }
        let beside = [begin(Self.detail), begin(.history(list: "cars", most: 9))]
        let second = begin(Self.view)
        #expect(([first] + ofView).allSatisfy { calls.call($0) == nil })
        #expect(([second] + beside).allSatisfy { calls.call($0) != nil })
    }

    @Test mutating func detailsOfSeveralRowsAreReadAtOnce() {
        let tokens = [begin(Self.detail), begin(.detail(list: "cars", rowID: 8))]
        #expect(tokens.allSatisfy { calls.call($0) != nil })
    }

    @Test mutating func thePinnedViewHasItsOwnWindow() {
        let behind = begin(Self.window)
        calls.isPinned()
        let pinned = begin(Self.window)
        #expect(calls.isIn(.windowBehindPin, behind) && calls.isIn(.window, pinned))
        _ = calls.unpin()
        #expect(calls.call(behind) == nil && calls.isIn(.window, pinned))
    }

    @Test mutating func theServerIsToldOfACancelledRequest() {
        #expect(calls.cancel(.matching).isEmpty)
        let token = begin(.pinView(generation: 1))
        #expect(calls.unpin() == [.cancel(token)])
        #expect(calls.unpin().isEmpty && calls.call(token) == nil)
        let refresh = begin(.refresh(list: "cars"))
        #expect(calls.cancelRefresh(of: "boats").isEmpty)
        #expect(calls.cancelRefresh(of: "cars") == [.cancel(refresh)])
        #expect(calls.call(refresh) != nil, "its last answer says that it was stopped")
    }
}

@Test func anOlderAnswerNeverReplacesANewerOne() {
    var talk = ServedApp()
    let old = talk.token { if case .index = $0 { true } else { false } }
    talk.press("2")
    let index = talk.app.list?.view.index
    talk.send(.answer(old, .success(.index([]))))
    #expect(talk.app.list?.view.index == index && index?.isEmpty == false)
}

@Test func noAnswerReachesAnotherList() {
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars], after: "enter")
    talk.pressHeldUp("enter")
    let detail = talk.token { $0.isDetail }
    talk.waiting = []
    talk.isHeldUp = false
    talk.press("q", "q", "j", "enter")
    let before = talk.lines
    #expect(talk.app.list?.list.name == "cars")
    talk.send(.answer(detail, .failure(ValetError(.unknownRow, "there is no row 1"))))
    #expect(talk.lines == before)
}

@Test(arguments: [
    ServerCall.index(generation: 1, count: 9), .section(generation: 1, title: "z"),
    .history(list: "cars", most: 9),
])
func aCallThatFailsIsSaid(call: ServerCall) {
    var talk = ServedApp()
    talk.answer(.failure(ValetError(.storageFailed, "the disk has a bad day")), to: call)
    #expect(talk.shows("can't be read") && talk.shows("bad day"))
}
