import TestSupport
import Testing
import ValetModel

@testable import ValetTerminal

/// Pickers over the form. The clock stands at 2026-11-22 11:30 UTC.
@Suite struct FormPickerTests {
    private static func column(_ place: Int, _ editor: ColumnEditor, _ rules: ColumnRules = .none)
        -> (inout ListDescription) -> Void
    {
        {
            $0.columns[place].editor = editor
            $0.columns[place].rules = rules
        }
    }

    private static let years = NumberRange(
        first: .number(1_908), last: .nextYear, isDescending: true)

    @Test func yearsComeNewestFirstAndStartAtThisOne() {
        var talk = ServedApp.cars(Self.column(2, .range(Self.years)))
        talk.press("+", "tab", "tab", "enter")
        let titles = talk.app.palette?.items.map(\.title) ?? []
        #expect(titles.prefix(2) == ["2027", "2026"] && titles.suffix(2) == ["1908", "NULL"])
        talk.press("enter", "^S")
        #expect(talk.submitted == [.insert([2: .integer(2026)])])
        talk.press("+", "tab", "tab", "space", .text("1998"), "enter", shows: "• Year  ▾  1998")
        talk.press("enter", "down", "esc")
        #expect(talk.app.palette == nil && talk.shows("• Year  ▾  1998"), "Esc leaves it")
    }

    @Test func theStatusNamesTheKeysOfThePicker() {
        var talk = ServedApp.cars(Self.column(2, .range(Self.years)))
        talk.press("+", "tab", "tab", says: "^S save")
        talk.press("enter", "down", "down", "end", "enter")
        #expect(talk.shows("• Year  ▾  2024"), "no key but typing leads back to the first")
        talk.press("enter", says: "Enter pick   Esc back")
        #expect(!talk.status.contains("^S save"))
    }

    /// Another program's value is not among the choices, and stays.
    @Test func aValueOutsideTheRangeShowsAndStays() {
        let range = NumberRange(first: .number(2_000), last: .nextYear)
        var talk = ServedApp.cars(Self.column(2, .range(range)))
        talk.press("j", "j", "e", "tab", "tab", shows: "Year  ▾  1998")
        talk.press("enter", "esc", "^S")
        #expect(talk.submitted.isEmpty && talk.status.contains("Nothing was changed"))
    }

    @Test func aTextColumnTakesANumberAsText() {
        let digits = NumberRange(first: .number(0), last: .number(9))
        var talk = ServedApp.cars(Self.column(0, .range(digits)))
        talk.press("+", "enter", "down", "enter", "^S")
        #expect(talk.submitted == [.insert([0: .text("1")])])
    }

    @Test func aTimeIsTurnedWithinItsBounds() {
        let rules = ColumnRules(minimum: 480, maximum: 1_200, interval: 15)
        var talk = ServedApp.cars(Self.column(1, .moment(.time), rules))
        talk.send(.resized(Size(columns: 80, rows: 17)))
        talk.press("+", "tab", "enter")
        talk.expectScreen(
            """
             New row  Cars                                                          ● live

               Make     (default)
            ▌  Model ▾  (default)
               Year     (defa┌ Model ─────────────────────────────────────┐
               Fuel     (defa│  Hour   Minute                             │
               Owner    Nobod│  09                                        │
                             │  10     15                                 │
                             │ ▌11     30                                 │
                             │  12     45                                 │
                             │  13     00                                 │
                             │ ↑↓ turn   ←→ wheel   Enter pick   Esc back │
                             └────────────────────────────────────────────┘



                                                                     Enter pick   Esc back
            """)
        talk.press("right", "down", "down", "left", "up", "enter")
        #expect(talk.shows("• Model ▾  10:00"), "11:30 + 2 · 15 = 11:00, an hour back")
        talk.press("enter", "home", "up", "enter")
        #expect(talk.shows("• Model ▾  20:00"), "behind the first hour comes the last")
        talk.press("enter", "right", "down", "enter")
        #expect(talk.shows("• Model ▾  20:00"), "not beyond the last")
        talk.press("enter", "9", "right", "4", "5", "enter", "^S")
        #expect(talk.submitted == [.insert([1: .text("09:45")])])
    }

    @Test func aDateHasTheDaysOfItsMonth() {
        var talk = ServedApp.cars(Self.column(1, .moment(.date)))
        talk.press("+", "tab", "enter", .text("2024"))
        talk.press("right", "2", "right", "3", "1", "end", "enter", shows: "• Model ▾  2024-02-29")
        talk.press("enter", "down", "enter", shows: "• Model ▾  2025-02-28")
        talk.press("enter", "right", "up", "up", "right", "down", "enter")
        #expect(talk.shows("• Model ▾  2025-12-29"), "behind December comes January")
    }

    @Test func secondsAreReadAsADuration() {
        let rules = ColumnRules(maximum: 1_439)
        var talk = ServedApp.cars(Self.column(2, .moment(.duration), rules))
        talk.press("+", "tab", "tab", .text("1:3"), "tab")
        #expect(talk.shows("! hours and minutes, such as 1:30"))
        talk.press("up", "end", "0", "tab", "up", "enter", "up", "right", "up", "enter", "^S")
        let less = Change.insert([2: .integer(29 * 60)])
        #expect(talk.submitted == [less], "1:30, an hour less and a minute less")
    }

    @Test func aDateAndTimeBeginsNow() {
        var talk = ServedApp.cars(Self.column(1, .moment(.dateAndTime)))
        talk.press("+", "tab", "enter", "enter", shows: "• Model ▾  2026-11-22 11:30")
        talk.press("tab", "up", "^U", "enter", "esc", "^S")
        #expect(talk.app.confirmation?.question == "Nothing is typed. Add an empty row?")
        talk.press("n")
        #expect(talk.app.form != nil && talk.submitted.isEmpty)
        talk.press("^S", "y")
        #expect(talk.submitted == [.insert([[]])])
    }

    /// A column of dates has wheels of its own, in the form in which it stores them.
    @Test func anyDateIsTurned() {
        var talk = ServedApp.cars { $0.columns[1].type = .date }
        talk.server.cars[talk.rowID]?[1] = .text("2024-02-29")
        talk.press("e", "tab", "enter", "right", "down", "enter", shows: "• Model ▾  2024-03-29")
        talk.press("esc", "y")
        talk.server.cars[talk.rowID]?[1] = .integer(1_795_347_000)
        talk.press("e", "tab", "enter", "right", "right", "right", "right", "down", "enter", "^S")
        #expect(talk.server.cars[talk.rowID]?[1] == .integer(1_795_347_060))
    }

    private static func wheels(_ list: inout ListDescription) {
        list.columns[0].editor = .wheels(columns: [0, 1, 4])
        list.columns[0].rules.choices = [.text("a"), .text("b"), .text("c")]
        list.columns[1].rules.choices = [.text("one"), .text("two")]
        list.columns[4].rules.choices = (1...9).map { .text("x\($0)") }
    }

    @Test func wheelsGoRoundSideBySide() {
        var talk = ServedApp.cars(Self.wheels)
        talk.press("+", "enter")
        talk.press("up", "right", "down", "down", "down", "right", "x", "7", "down", "enter", "^S")
        #expect(talk.submitted == [.insert([0: .text("c"), 1: .text("two"), 4: .text("x8")])])
        talk.press("+", "tab", "enter")
        #expect(talk.app.wheels?.focus == 1, "each of the columns opens them")
        talk.press("esc", "esc")
        #expect(talk.app.wheels == nil && talk.app.form == nil, "Esc leaves all as it was")
    }

    @Test func aKindOfRowHasItsEditor() {
        var talk = ServedApp.cars {
            $0.columns[1].editor = .perRow(
                column: 0,
                kinds: [
                    .init(name: "switch", editor: .toggle),
                    .init(name: "size", editor: .choices([.text("S"), .text("L")])),
                    .init(name: "number", editor: .number),
                ])
        }
        talk.press("+", .text("switch"), "tab", "space", shows: "Model  yes")
        talk.press("shift-tab", .text("size"), "tab", "^U", "enter", "down", "enter")
        #expect(talk.shows("Model ▾  L"))
        talk.press("shift-tab", .text("number"), "tab", .text("many"), "tab")
        #expect(talk.shows("! a number, such as 12.5"))
    }

    // MARK: Rows of lists

    private static func owners(value: String?) -> ServedApp {
        ServedApp.cars(and: [PlainCars.fleet], column(4, .list(name: "cars", valueColumn: value)))
    }

    @Test func aRowOfAListIsFoundByTypingAndPicked() {
        var talk = Self.owners(value: "model")
        talk.press("enter", "j", "+", .times(4, "tab"), "enter", shows: "Pick from Cars")
        talk.press(.text("volvo"), "down")
        let model = talk.server.cars[talk.rowID]?[1] ?? .null
        talk.press("enter")
        #expect(talk.app.picker == nil && model != .null)
        talk.press("^S")
        #expect(talk.submitted == [.insert([4: model])])
    }

    @Test func itsRowIDIsPickedAndEscLeavesAllAsItWas() throws {
        var talk = Self.owners(value: nil)
        talk.press("enter", "j", "j")
        let (rowID, line) = (talk.rowID, talk.app.list?.cursor.line)
        talk.press("e", .times(4, "tab"))
        let before = talk.lines
        talk.press("enter", "down", "down", "esc")
        #expect(talk.app.picker == nil && talk.lines == before)
        talk.press("enter", "down", "enter")
        guard case .text(let owner) = talk.app.form?.cells[4] else { throw Unexpected("no row id") }
        #expect(Int64(owner) != nil)
        talk.press("esc", "y")
        #expect(talk.rowID == rowID && talk.app.list?.cursor.line == line, "the list comes back")
    }

    @Test func aListThatIsNotThereIsNamed() {
        var talk = ServedApp.cars(Self.column(4, .list(name: "people", valueColumn: nil)))
        talk.press("+", .times(4, "tab"), "enter")
        #expect(talk.app.picker == nil && talk.status.contains("There is no list “people”"))
    }

    /// What a server may send, and no person would.
    @Test func noBoundLeadsToATrap() {
        let extremes: [Double] = [-.infinity, -1e300, -1, 0, 1e18, .infinity, .nan]
        for moment in Moment.allCases {
            for (minimum, maximum) in extremes.flatMap({ low in extremes.map { (low, $0) } }) {
                let rules = ColumnRules(minimum: minimum, maximum: maximum, interval: 7)
                var picker = WheelPicker(title: "", moment, rules: rules, start: .max)
                for key in ["up", "pgdn", "right", "9", "9", "9", "end", "down"] {
                    if let key = Key(name: key) { _ = picker.handle(key) }
                }
                var screen = Screen(size: Size(columns: 9, rows: 4))
                picker.draw(on: &screen, glyphs: Glyphs(isASCII: false))
            }
        }
        let ends: [(Int64, Int64)] = [(.min, .max), (.max, .min), (.min, .min), (.max, .max)]
        for (first, last) in ends {
            for isDescending in [true, false] {
                let range = NumberRange(
                    first: .number(first), last: .number(last), isDescending: isDescending)
                #expect(range.numbers(inYear: 2026).count <= Limits.numbersPerRange)
            }
        }
    }
}
