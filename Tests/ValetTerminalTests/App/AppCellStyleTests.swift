import Testing
import ValetModel

@testable import ValetTerminal

/// The roles of cells, and where the terminal's real cursor stands.
@Suite struct AppCellStyleTests {
    // MARK: Marks

    @Test func aPendingRowIsMagentaAndARejectedOneRed() throws {
        var talk = ServedApp(after: "j", "e", .field(1, "Z9"))
        talk.server.nextVerdict = .refused([Refusal(row: 0, column: 1, message: "taken")])
        talk.pressHeldUp("^S")
        let row = try #require(talk.lines.firstIndex { $0.hasPrefix("▌… 2009 Audi Z9") })
        #expect(talk.app.draw()[row, 1].style.foreground == .magenta)
        talk.press("j")
        #expect(talk.app.draw()[row, 1].style == Style(.magenta, .bold))
        talk.resume()
        let rejected = talk.app.draw()
        #expect(talk.lines[row].hasPrefix(" ! 2009 Audi M0"))
        #expect(rejected[row, 1].style == Style(.red, .bold))
        // Under the cursor, too.
        talk.press("k")
        let own = talk.app.draw()
        #expect(own[row, 1].character == "!" && own[row, 1].style.foreground == .red)
    }

    @Test func somebodyElsesChangeIsGreen() throws {
        var talk = ServedApp(after: "j")
        let rowID = talk.rowID
        talk.send(.othersChanged([.other(7, "bo", rowID, edits: true)]))
        talk.press("k")
        #expect(style(of: "●bo editing", in: talk.app.draw())?.foreground == .green)
        talk.press("j", "e")
        #expect(style(of: "●bo editing this row", in: talk.app.draw()) == Style(.green))
        talk.press(.field(1, "Mine"))
        talk.others(.rename(rowID, to: "Theirs"))
        let screen = talk.app.draw()
        #expect(style(of: "~ now “Theirs”", in: screen) == Style(.green))
        let row = try #require(talk.lines.firstIndex { $0.contains("Model  Mine") })
        #expect(screen[row, 1].character == "~" && screen[row, 1].style == Style(.green, .bold))
    }

    @Test func theDetailMarksWhatSomebodyElseHasChangedInGreen() throws {
        var talk = ServedApp(after: "j", "enter")
        talk.others(.set(talk.rowID, 3, .real(9)))
        let detail = talk.app.draw()
        let fuel = try #require(talk.lines.firstIndex { $0.contains("Fuel   9.0 l") })
        #expect(detail[fuel, 1].character == "~" && detail[fuel, 1].style == Style(.green, .bold))
    }

    @Test func aProblemIsRed() {
        let talk = ServedApp(after: "e", "tab", "tab", "x", "tab")
        let screen = talk.app.draw()
        #expect(style(of: "! a whole number", in: screen) == Style(.red))
    }

    @Test func theSectionOfTheCursorIsBoldInTheStrip() throws {
        var talk = ServedApp()
        func bold(_ talk: ServedApp) -> [String] {
            let screen = talk.app.draw()
            return (2..<screen.size.rows - 1).compactMap { row in
                let cell = screen.row(row).last { $0.character != " " }
                guard let cell, cell.style == .bold,
                    screen[row, screen.size.columns - 1] == cell
                else { return nil }
                return String(cell.character)
            }
        }
        #expect(bold(talk) == ["A"])
        talk.press("]")
        #expect(bold(talk) == ["B"])
        talk.press("G")
        #expect(bold(talk) == ["V"])
        // Walking the index brings it out.
        talk.press("i", "k")
        #expect(style(of: "S", in: talk.app.draw()) != nil)
        let screen = talk.app.draw()
        let reversed = (2..<screen.size.rows - 1).filter {
            screen[$0, 79].style == .reverse.with(.bold)
        }
        #expect(reversed.map { screen[$0, 79].character } == ["S"])
    }

    // MARK: The real cursor, which screen readers and input methods follow (law 8)

    /// Row and column of the cursor, and the character before it.
    private static func caret(_ talk: ServedApp) throws -> (Position, Character) {
        let screen = talk.app.draw()
        let cursor = try #require(screen.cursor)
        return (cursor, screen[cursor.row, cursor.column - 1].character)
    }

    @Test func inTheFormItStandsAtTheCaret() throws {
        var talk = ServedApp(after: "j", "e")
        // All of the value is selected: the caret is behind it.
        #expect(try Self.caret(talk) == (Position(row: 2, column: 14), "i"))
        talk.press("left")
        #expect(try Self.caret(talk).0 == Position(row: 2, column: 10), "its beginning")
        talk.press("right", "right")
        #expect(try Self.caret(talk) == (Position(row: 2, column: 12), "u"))
        talk.press("tab", "^U")
        #expect(try Self.caret(talk).0 == Position(row: 3, column: 10))
        talk.press(.text("漢字"))
        #expect(try Self.caret(talk).0 == Position(row: 3, column: 14), "two columns each")
        talk.press("backspace")
        #expect(try Self.caret(talk).0 == Position(row: 3, column: 12))
        // A long text moves under a caret that stays on the screen.
        talk.press(.text(String(repeating: "x", count: 200)))
        let (end, before) = try Self.caret(talk)
        #expect(end.row == 3 && end.column < 80 && before == "x")
    }

    @Test func inAPromptItStandsAtTheCaret() throws {
        var talk = ServedApp(after: "/", .text("audi"))
        let search = try Self.caret(talk)
        #expect(search.1 == "i" && talk.lines[search.0.row].contains("/ audi"))
        talk.press("left", "left")
        let inside = try Self.caret(talk)
        #expect(inside.1 == "u" && inside.0.column == search.0.column - 2)
        talk.press("esc", ":", .text("123"))
        let place = try Self.caret(talk)
        #expect(place.1 == "3" && talk.lines[place.0.row].contains("123"))
        talk.press("esc", "'", .text("vol"))
        let name = try Self.caret(talk)
        #expect(name.1 == "l" && talk.lines[name.0.row].contains("'vol"))
    }

    @Test func inThePaletteItStandsAtTheCaret() throws {
        var talk = ServedApp(after: "?")
        let empty = try Self.caret(talk)
        talk.press(.text("sort"))
        let typed = try Self.caret(talk)
        #expect(typed.1 == "t" && typed.0.row == empty.0.row)
        #expect(typed.0.column == empty.0.column + 4)
        talk.press("home")
        #expect(try Self.caret(talk).0 == empty.0)
    }

    @Test func onAQuestionItStandsOnTheSafeAnswer() throws {
        let talk = ServedApp(after: "d")
        let screen = talk.app.draw()
        let cursor = try #require(screen.cursor)
        #expect(screen[cursor.row, cursor.column].character == "[")
        #expect(screen[cursor.row, cursor.column].style == .reverse)
    }
}
