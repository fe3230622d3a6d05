import Testing
import ValetModel

@testable import ValetTerminal

private let picking = AppOptions(picks: true)

@Test func openingARowPicksIt() {
    var talk = ServedApp(options: picking, after: "j")
    let rowID = talk.rowID
    #expect(talk.press("enter") == [.end(.pick([rowID]))])
    #expect(talk.app.detail == nil)
}

@Test(arguments: ["q", "Q", "esc"]) func leavingWithoutARowCancels(key: String) {
    var talk = ServedApp(options: picking)
    #expect(talk.press(key) == [.quit(130)])
}

@Test func aCatalogIsTheTopOfAPick() {
    var talk = ServedApp(
        lists: [PlainCars.cars, PlainCars.table], options: picking, after: "enter")
    #expect(talk.press("q").first == .cancel(talk.calls.last { $0.call.isOpenView }?.call))
    #expect(talk.press("esc") == [.quit(130)])
}

@Test(arguments: [ErrorCode.unknownGrouping, .unknownColumn, .unknownScope])
func aQueryThatNamesWhatThereIsNotEndsTheApplication(code: ErrorCode) {
    let query = Query(grouping: "no")
    var talk = ServedApp(options: AppOptions(query: query), isConnected: false)
    talk.connect(answering: 1)
    let error = ValetError(code, "no grouping is called “no”")
    #expect(
        talk.fail(code, "no grouping is called “no”", newest: \.isOpenView) == [.end(.fail(error))])
    // Not for another reason, which may pass.
    #expect(talk.fail(.storageFailed, "the disk is slow", newest: \.isOpenView) == [])
}

@Test func theOnlyListOfAPickIsItsTop() {
    let options = AppOptions(listName: "table", picks: true)
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], options: options)
    #expect(talk.app.list?.list.name == "table")
    #expect(talk.press("q") == [.quit(130)])
}
