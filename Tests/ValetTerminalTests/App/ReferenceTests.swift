import Testing
import ValetModel

@testable import ValetTerminal

/// From a row to the one that it refers to, to those that refer to it, and back.
@Suite struct ReferenceTests {
    /// Cars that refer to others by what is called their year, and their makes by a list's key.
    private static func talk(named: Cell = .integer(3), _ strokes: Stroke...) -> ServedApp {
        let cars = PlainCars.cars.with {
            $0.cell = .columns
            $0.columns[2].reference = RowReference(list: "cars", column: nil)
            $0.columns[0].reference = RowReference(list: "makers", column: "make")
        }
        let makers = PlainCars.cars.with {
            ($0.name, $0.title, $0.cell) = ("makers", "Makers", .columns)
        }
        var talk = ServedApp(lists: [cars, makers])
        talk.server.cars[5]?[2] = named
        talk.press("enter", "2", "g")
        while talk.rowID != 5 { talk.press("j") }
        for stroke in strokes { talk.press(stroke) }
        return talk
    }

    /// The cell cursor's way to a column.
    private static func to(_ column: Int, in talk: inout ServedApp) {
        for _ in 0..<9 where talk.app.list?.cellColumn != column { talk.press("l") }
    }

    @Test func enterOnACellGoesToTheRowThatItNames() {
        var talk = Self.talk()
        let before = talk.app.list?.query
        Self.to(2, in: &talk)
        talk.press("enter")
        #expect(talk.app.detail == nil && talk.rowID == 3)
        #expect(talk.app.list?.query == Query() && talk.app.message == "q goes back to Cars")
        talk.press("j", "q")
        #expect(talk.rowID == 5 && talk.app.list?.query == before)
        #expect(talk.app.list?.cellColumn == 2)
        talk.press("q")
        #expect(talk.app.list == nil, "then to the lists")
    }

    @Test func aCellThatNamesNoRowOpensItsOwn() {
        var talk = Self.talk(named: .null)
        Self.to(2, in: &talk)
        talk.press("enter")
        #expect(talk.app.detail?.row.id == 5)
    }

    @Test func aKeyThatIsNoRowIDIsACondition() {
        var talk = Self.talk()
        let make = talk.server.cell(0, of: 5)
        Self.to(0, in: &talk)
        talk.press("h", "l")
        Self.to(0, in: &talk)
        talk.press("enter")
        #expect(talk.app.list?.list.name == "makers")
        #expect(
            talk.app.list?.query.conditions
                == [Condition(column: "make", .isOneOf, [make])])
    }

    @Test func aWholeRowEndsWithThoseThatReferToIt() throws {
        var talk = Self.talk()
        talk.press("g")
        while talk.rowID != 3 { talk.press("j") }
        talk.press("enter")
        #expect(talk.lines.contains { $0.hasSuffix("by Year  1 ›") }, "\(talk.lines)")
        talk.press("G", "enter")
        #expect(talk.app.detail == nil && talk.app.list?.list.name == "cars")
        let condition = Condition(column: "year", .isOneOf, [.integer(3)])
        #expect(talk.app.list?.query.conditions == [condition] && talk.rowID == 5)
        talk.press("q")
        #expect(talk.app.detail?.row.id == 3 && talk.app.detail?.selectedLink != nil)
        talk.press("q")
        #expect(talk.app.detail == nil && talk.rowID == 3)
    }

    @Test func aFieldLeadsOnFromAWholeRow() {
        var talk = Self.talk("enter")
        while talk.app.detail?.selected != 2 { talk.press("j") }
        talk.press("enter")
        #expect(talk.app.detail?.row.id == 3 && talk.rowID == 3)
        talk.press("q")
        #expect(talk.app.detail?.row.id == 5)
    }

    @Test func theWayBackIsNotTheWayOut() {
        var talk = Self.talk()
        for _ in 0..<30 {
            Self.to(2, in: &talk)
            talk.server.cars[talk.rowID]?[2] = .integer(5)
            talk.press("r", "enter")
        }
        #expect(talk.app.visits.count <= 16)
        var presses = 0
        while talk.app.list != nil, presses < 20 {
            talk.press("q")
            presses += 1
        }
        #expect((2...17).contains(presses))
    }
}
