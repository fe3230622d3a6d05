import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// What was shown when the connection broke is asked for again, or says that it is of before.
@Suite struct AppReconnectTests {
    @Test func aDetailIsReadAgain() {
        var talk = ServedApp(after: "j", "enter")
        let rowID = talk.rowID
        // The revision of a server that has started again may be any.
        talk.server.revision = 9
        talk.others(.rename(rowID, to: "First"))
        #expect(talk.shows("First"))
        talk.reconnect {
            _ = $0.carryOut(.rename(rowID, to: "Second"))
            $0.revision = 2
        }
        #expect(talk.shows("Second") && talk.actions.contains(.detail(rowID)))
    }

    @Test func rowsSideBySideAreReadAgain() {
        var talk = ServedApp(lists: [PlainCars.table], after: "M", "j", "M", "D")
        let rowID = talk.rowID
        talk.reconnect { _ = $0.carryOut(.set(rowID, 4, .text("Zoe"))) }
        #expect(talk.shows("Zoe"))
    }

    @Test func valuesAreCountedAgain() {
        var talk = ServedApp(lists: [PlainCars.table], after: "right", "#")
        #expect(talk.shows("1,000 rows"))
        let rowID = talk.rowID
        talk.reconnect { _ = $0.carryOut(.delete(rowID)) }
        #expect(talk.shows("999 rows"))
    }

    /// Of a cluster, which node it is, and how far behind.
    @Test func theTitleSaysHowTheNodeIs() {
        func node(_ condition: ServingNode.Condition, name: String = "bo") -> AppEvent {
            .nodeChanged(ServingNode(name: name, condition: condition))
        }
        for columns in [100, 40] {
            var talk = ServedApp(size: Size(columns: columns, rows: 24))
            let isShort = columns == 40
            func expect(_ long: String, _ short: String) {
                let title = talk.lines[0]
                #expect(title.hasSuffix(isShort ? short : long), "\(title)")
            }
            talk.send(node(.current))
            expect("● live at bo", "● live")
            for (seconds, words) in [(2, "2 s"), (119, "119 s"), (120, "2 min"), (7_300, "2 h")] {
                talk.send(node(.behind(seconds: seconds)))
                expect("bo behind \(words)", "node behind \(words)")
            }
            talk.send(node(.outOfService(reason: "it has diverged")))
            expect("bo out of service", "node out of service")
            #expect(talk.status.contains("bo takes no changes: it has diverged"))
            // Once, whatever else is told.
            talk.press("j")
            talk.send(node(.outOfService(reason: "it has diverged")))
            #expect(!talk.status.contains("takes no changes"))
            talk.send(.disconnected(reason: "test"))
            talk.send(.nodeChanged(nil))
            talk.reconnect { _ in }
            expect("● live", "● live")
            talk.send(node(.current, name: "a\u{1B}[2J" + String(repeating: "x", count: 90)))
            #expect(!talk.lines[0].contains("\u{1B}"))
        }
    }

    @Test func whatWaitsForTheConnectionIsSaid() {
        var talk = ServedApp()
        talk.send(.disconnected(reason: "test"))
        talk.press("enter", says: "Offline: this is done after reconnecting")
        talk.reconnect()
        #expect(talk.app.detail != nil)
    }

    /// Else a word would be as many commands.
    @Test func whatIsTypedForARowThatCannotBeReadYetIsKeptForItsForm() {
        var talk = ServedApp()
        let rowID = talk.rowID
        talk.send(.disconnected(reason: "test"))
        talk.press("e", says: "Offline: the row is read after reconnecting. What is typed is kept")
        talk.press("tab", "tab", "^U", .text("1987"), says: "Offline: the row is read")
        talk.reconnect()
        #expect(talk.app.form?.rowID == rowID && talk.shows("1987") && talk.shows("1 change"))
        talk.press("^S")
        #expect(talk.server.cars[rowID]?[2] == .integer(1987))
    }

    @Test func aSearchThatIsTypedGoesOnAfterABreak() {
        var talk = ServedApp()
        talk.pressHeldUp("/", .text("bm"))
        talk.reconnect()
        talk.press(.text("w"))
        talk.resume()
        #expect(talk.app.list?.mode == .searching && talk.app.list?.query.search?.text == "bmw")
        #expect(talk.app.list?.total == talk.server.order.count && talk.shows("BMW"))
    }

    /// What is typed on is text, not commands.
    @Test func aSearchThatFailsLeavesWhatIsTyped() {
        var talk = ServedApp()
        talk.pressHeldUp("/", .text("bm"))
        talk.waiting = []
        talk.fail(.overBudget, "too much", newest: \.isOpenView)
        talk.resume()
        talk.press(says: "too much")
        #expect(talk.app.list?.mode == .searching && talk.app.list?.query.search == nil)
        talk.press(.text("w"))
        #expect(talk.app.list?.query.search?.text == "bmw" && talk.submitted.isEmpty)
    }

    @Test func aListThatCouldNotBeOpenedIsOpenedAfterABreak() {
        var talk = ServedApp(isConnected: false)
        talk.connect(answering: 1)
        talk.fail(.busy, "too many", newest: \.isOpenView)
        #expect(talk.shows("too many"))
        talk.reconnect()
        talk.resume()
        #expect(talk.shows("Audi") && talk.app.list?.view.failure == nil)
    }

    @Test func anIndexThatFailsIsSaidAndNotWaitedFor() {
        var talk = ServedApp()
        talk.pressHeldUp("2")
        while talk.waiting.count > 1 { talk.deliverOne() }
        talk.waiting = []
        talk.fail(.busy, "too many") {
            if case .index = $0 { true } else { false }
        }
        #expect(talk.app.message == "The section index can't be read: too many")
        #expect(talk.app.list?.isAnswered == true)
    }

    /// Its id may name another row by now.
    @Test(arguments: [RowIDLifetime.epoch, .row])
    func aRowOfAnotherEpochIsReadAgainOnlyByAnIDThatLasts(lifetime: RowIDLifetime) {
        let list = PlainCars.table.with { $0.rowIDs = lifetime }
        var talk = ServedApp(lists: [list], after: "j", "enter")
        let rowID = talk.rowID
        talk.reconnect {
            _ = $0.carryOut(.rename(rowID, to: "Another"))
            $0.epoch += 1
        }
        let isRead = lifetime == .row
        #expect(talk.shows("This row is out of date") != isRead)
        #expect((talk.app.detail?.row.cell(1) == .text("Another")) == isRead)
    }

    @Test func anOlderReadingDoesNotReplaceANewerOne() {
        func detail(_ revision: UInt64) -> RowDetail {
            RowDetail(id: 1, revision: revision, cells: [.integer(Int64(revision))])
        }
        var row = ReadRow(
            list: PlainCars.table, row: Row(id: 1, cells: []), positions: [:], title: "")
        for (revision, shown) in [(5, 5), (4, 5), (6, 6)] as [(UInt64, Int64)] {
            row.take(detail(revision), title: "", own: [:], at: 0)
            #expect(row.cell(0) == .integer(shown))
        }
        row.disconnected()
        row.take(detail(2), title: "", own: [:], at: 0)
        #expect(row.cell(0) == .integer(2))
    }
}
