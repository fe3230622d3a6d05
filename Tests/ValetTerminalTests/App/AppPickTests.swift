import Testing
import ValetModel

@testable import ValetTerminal

private let picking = AppOptions(picks: true)

@Test func openingARowPicksIt() {
    var talk = ServedApp(options: picking)
    talk.press("j")
    let rowID = talk.rowID
    #expect(talk.press("enter") == [.pick([rowID])])
    #expect(talk.app.detail == nil)
}

@Test func leavingWithoutARowCancels() {
    for keys in [["q"], ["Q"], ["esc"]] {
        var talk = ServedApp(options: picking)
        #expect(talk.press(keys[0]) == [.quit(exitCode: 130)], "\(keys)")
    }
}

@Test func aCatalogIsTheTopOfAPick() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], options: picking)
    talk.press("enter")
    #expect(talk.press("q").first == .closeView)
    #expect(talk.press("esc") == [.quit(exitCode: 130)])
}

@Test(arguments: [ErrorCode.unknownGrouping, .unknownColumn, .unknownScope])
func aQuestionThatNamesWhatThereIsNotEndsTheApplication(code: ErrorCode) {
    let question = Question(grouping: "no")
    var app = App(options: AppOptions(question: question), size: .standard)
    _ = app.handle(.connecting)
    _ = app.handle(.connected)
    _ = app.handle(.catalogLoaded(Catalog(lists: [PlainCars.cars]), rowCounts: [nil]))
    let error = ValetError(code, "no grouping is called “no”", alternatives: ["Make"])
    let generation = app.list?.generation ?? 0
    #expect(app.handle(.viewFailed(generation: generation, error)) == [.fail(error)])
    // Not for another reason, which may pass.
    let busy = ValetError(.storageFailed, "the disk is slow")
    #expect(app.handle(.viewFailed(generation: generation, busy)) == [])
}
