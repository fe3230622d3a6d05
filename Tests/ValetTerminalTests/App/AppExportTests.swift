import Testing
import ValetModel

@testable import ValetTerminal

/// What is shown is taken along, to a file or as a command.
@Suite struct AppExportTests {
    @Test func theQueryThatHoldsIsWritten() throws {
        var talk = ServedApp(after: "/", .text("bmw"), "enter", "f", .text("year >= 2010"), "enter")
        let total = try #require(talk.app.list?.total)
        talk.isHeldUp = true
        talk.press(":", .text("export cars.csv"), "enter")
        talk.answer(
            .export(.running(done: total / 2, total: total)), toNewest: { $0.slot == .export })
        #expect(
            talk.status.contains("exporting \(total / 2) of \(total) to cars.csv   Esc cancels"))
        // The person goes on, and writes one file at a time.
        talk.press(":", .text("export other.csv"), "enter")
        #expect(talk.app.message == "cars.csv is still being written: Esc cancels that")
        talk.resume()
        #expect(talk.app.message == "Exported \(total) rows to cars.csv, \(10 * total) bytes")
        let wanted = try #require(talk.server.files["cars.csv"])
        #expect(wanted.query == talk.app.list?.query && wanted.columns == nil && !wanted.replaces)
    }

    @Test func theSelectionAloneIsNotWritten() {
        let talk = ServedApp(after: "space", "space", ":", .text("export cars.csv"), "enter")
        #expect(talk.app.message?.hasPrefix("Exported 1,000 rows to cars.csv, ") == true)
        #expect(talk.app.message?.hasSuffix("   Not only the 2 selected: Y copies these") == true)
    }

    @Test func aFileIsReplacedOnlyIfThePersonSaysSo() {
        var talk = ServedApp(after: ":", .text("export cars.csv"), "enter")
        talk.press("/", .text("bmw"), "enter", ":", .text("export cars.csv"), "enter")
        #expect(talk.shows("cars.csv is there already. Replace it?  [Keep]  y Replace"))
        talk.press("enter")
        #expect(talk.server.files["cars.csv"]?.query.search == nil)
        talk.press(":", .text("export cars.csv"), "enter", "y")
        #expect(talk.server.files["cars.csv"]?.query.search?.text == "bmw")
        #expect(talk.app.exporting == nil)
    }

    @Test(arguments: ["esc", "^C"]) func itIsCancelled(key: String) {
        var talk = ServedApp()
        talk.isHeldUp = true
        talk.press(":", .text("export cars.csv"), "enter")
        let asked = talk.app.exporting.map { Asked.cancel(.export($0.request)) }
        talk.press(.init(stringLiteral: key))
        #expect(asked != nil && talk.actions.last == asked)
        talk.answer(.export(.cancelled), toNewest: { $0.slot == .export })
        #expect(talk.app.message == "Not exported: cancelled" && talk.app.exporting == nil)
    }

    @Test func whoeverQuitsMeanwhileIsAsked() {
        var talk = ServedApp()
        talk.isHeldUp = true
        talk.press(":", .text("export cars.csv"), "enter", "q")
        #expect(talk.shows("cars.csv is not written yet. Quit?  [Stay]"))
        talk.press("esc")
        talk.resume()
        talk.press("q")
        #expect(talk.actions.last == .end(.quit(exitCode: 0)))
    }

    @Test func aBreakEndsIt() {
        var talk = ServedApp()
        talk.isHeldUp = true
        talk.press(":", .text("export cars.csv"), "enter")
        talk.send(.disconnected(reason: "gone"))
        #expect(talk.app.exporting == nil)
        talk.press(":", .text("export cars.csv"), "enter")
        #expect(talk.app.message == "Offline: nothing to export")
    }

    /// What is hidden stays here.
    @Test func theColumnsThatArePickedAreTaken() {
        var talk = ServedApp(lists: [PlainCars.table])
        talk.press("o", "space", "esc", ":", .text("export cars.csv"), "enter")
        #expect(talk.server.files["cars.csv"]?.columns == [1, 2, 3, 4])
    }

    @Test func theCommandLineIsCopiedAndShown() {
        var talk = ServedApp(lists: [PlainCars.table])
        talk.app.options.target = ["my cars.sqlite", "--catalog", "c.yaml"]
        talk.press("2", "f", .text("owner = \"it's\""), "enter", "/", .text("a b"), "tab", "enter")
        talk.press("right", "s", "S", "o", "space", "esc", ":", .text("command"), "enter")
        let command =
            "valet export 'my cars.sqlite' --catalog c.yaml --list table --group Year --sort=-make"
            + " --search 'a b' --scope Owner --where 'owner = it'\\''s'"
            + " --column model --column year --column fuel --column owner"
        #expect(talk.actions.last == .terminal(.copy(command)))
        #expect(talk.shows(" Copied") && talk.shows("    --search 'a b'"))
    }

    /// As it comes out of a row, by `=`.
    @Test func aCommandLineDoesNotSteerTheShell() throws {
        var talk = ServedApp(lists: [PlainCars.table])
        talk.app.options.target = ["cars.sqlite"]
        talk.server.cars[talk.rowID]?[1] = .text("x\u{15}rm -rf 'a'\\\n")
        talk.press("r", "=", ":", .text("command"), "enter")
        let copied = try #require(talk.actions.last?.copied)
        #expect(copied.hasSuffix(#" --where $'model = "x\x15rm -rf \'a\'\\\x0a"'"#), "\(copied)")
        talk.app.options.target = nil
        talk.press("esc", ":", .text("command"), "enter", says: "No command line opens Valet again")
    }

    /// The shell would end the text there, and find other rows.
    @Test func aTextWithANULIsInNoCommandLine() {
        var talk = ServedApp(lists: [PlainCars.table])
        talk.app.options.target = ["cars.sqlite"]
        talk.server.cars[talk.rowID]?[1] = .text("a\0b")
        talk.press("r", "=", ":", .text("command"), "enter")
        #expect(talk.app.message?.contains("NUL") == true && talk.actions.last?.copied == nil)
    }

    @Test func whatCannotBeExportedIsSaid() {
        var talk = ServedApp(
            lists: [PlainCars.table.with { $0.titleColumn = nil }], after: "z", ":",
            .text("export cars.csv"), "enter")
        #expect(talk.app.message == "The list is frozen: z first, then export it")
        talk.press("z", "o", .text("none but"), "space", "esc", ":", .text("export c.csv"), "enter")
        #expect(talk.app.message == "No column is shown: o shows some")
        #expect(talk.server.files.isEmpty && talk.app.exporting == nil)
    }

    @Test func whatIsNoCommandStaysToBePutRight() {
        var talk = ServedApp(after: ":", .text("exprt cars.csv"), "enter")
        #expect(talk.status.contains(":exprt cars.csv"))
        #expect(talk.shows("  There are 20000, 50%, open NAME"))
        talk.press(.times(11, "left"), .text("o"), "enter")
        #expect(talk.server.files["cars.csv"] != nil)
        talk.press(":", .text("export"), "enter")
        #expect(talk.shows("  export takes a file: .csv"))
    }
}
