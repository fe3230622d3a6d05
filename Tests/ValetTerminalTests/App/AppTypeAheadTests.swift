import Testing
import ValetModel

@testable import ValetTerminal

@Test(arguments: [
    ([":", "5", "0", "%", "enter"], 500), (["G"], 999), (["j", "j", "k"], 1),
    ([":", "7", "enter", "j"], 7),
])
func keysThatComeBeforeTheListActWhenItIsHere(keys: [String], ordinal: Int) {
    // Before the catalog, and before the rows.
    for answers in [0, 1] {
        var talk = ServedApp(isConnected: false)
        talk.connect(answering: answers)
        for key in keys { talk.press(key) }
        talk.deliver()
        #expect(talk.app.list?.cursor.ordinal == ordinal, "\(answers) answers")
        #expect(talk.rowID == talk.server.order[ordinal])
        #expect(!talk.shows("░"))
    }
}

/// Letters of a text are no commands of the screen that waits for the lists: `r` counts no rows
/// there, and `q` does not quit.
@Test(arguments: [0, 1])
func aTextThatIsTypedBeforeTheListIsHereIsWhole(answers: Int) {
    var talk = ServedApp(isConnected: false)
    talk.connect(answering: answers)
    let made = talk.press("f", .text("make = qQhrL? audi"), "enter", "/", .text("qrLQ"), "enter")
    #expect(!made.contains(.end(.quit(exitCode: 0))))
    talk.deliver()
    #expect(talk.conditions.map(\.values) == [[.text("qQhrL? audi")]])
    #expect(talk.app.list?.query.search?.text == "qrLQ")
    var early = ServedApp(isConnected: false)
    early.connect(answering: 0)
    #expect(early.press("j", "q") == [.end(.quit(exitCode: 0))], "nothing is typed")
}
