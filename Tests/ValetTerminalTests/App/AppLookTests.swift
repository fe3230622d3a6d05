import Testing
import ValetModel

@testable import ValetTerminal

private let shade = Tint(red: 30, green: 30, blue: 30).shade

/// How the first place looks where a text stands.
func style(of text: String, in screen: Screen, on row: Int? = nil) -> Style? {
    screen.place(of: text, on: row).map { screen[$0.row, $0.column].style }
}

private let lists = [PlainCars.cars, PlainCars.table, PlainCars.fleet]

@Test(arguments: lists, [nil, shade])
func aCursorMoveIsCheap(list: ListDescription, shade: Tint?) {
    let renderer = DiffRenderer(shade: shade)
    let walks = [("j", "g", 28), ("j", "pgdn", 60), ("k", "G", 60)]
    for (key, start, steps) in list == PlainCars.cars ? walks : Array(walks.prefix(1)) {
        var talk = ServedApp(lists: [list], after: .times(3, start))
        for step in 0..<steps {
            let (shown, line) = (talk.app.draw(), talk.app.list?.cursor.line)
            talk.press(key)
            let isScroll = talk.app.list?.cursor.line == line
            let count = renderer.bytes(from: shown, to: talk.app.draw()).count
            #expect(count <= (isScroll ? 400 : 200), "\(key) \(step)")
        }
    }
}

/// Only what somebody else has changed is drawn again.
@Test(arguments: lists, [nil, shade])
func anothersChangeOfARowIsCheap(list: ListDescription, shade: Tint?) throws {
    var talk = ServedApp(lists: [list])
    let before = talk.app.draw()
    let lines = talk.lines
    let owner = try #require(lines.firstIndex { $0.contains("漢字") })
    let rowID = try #require(talk.server.order.first { talk.server.cars[$0]?[4] == .text("漢字") })
    talk.others(.set(rowID, 4, .text("Zoe")))
    let after = talk.app.draw()
    #expect(talk.lines[owner].contains("Zoe"))
    #expect(talk.lines.indices.filter { talk.lines[$0] != lines[$0] } == [owner])
    #expect(DiffRenderer(shade: shade).bytes(from: before, to: after).count <= 40)
}

@Test func theCursorsRowIsBroughtOut() {
    var talk = ServedApp(lists: [PlainCars.table], after: "j", "right")
    let screen = talk.app.draw()
    let row = screen.cursor?.row ?? 0
    for cell in screen.row(row).prefix(74) {
        #expect(cell.style.attributes.contains(.shaded))
    }
    #expect(style(of: "M0 ", in: screen)?.attributes == [])
    #expect(screen[row, 3].style.attributes == [.bold, .shaded])
    let column = screen.cursor?.column ?? 0
    #expect(screen[row, column].style.attributes == [.bold, .shaded, .reverse])
    // A missing value stays dim, and so apart from the same sign.
    talk.press("j", "j")
    let missing = talk.app.draw()
    let line = missing.cursor?.row ?? 0
    #expect(talk.lines[line].contains("–"))
    let dim = missing.row(line).first { $0.character == "–" }
    #expect(dim?.style.attributes == [.dim, .shaded])
}

@Test func aShadeNeedsATerminalThatHasToldItsBackground() {
    let talk = ServedApp(after: "j")
    let screen = talk.app.draw()
    func text(_ renderer: DiffRenderer) -> String {
        String(decoding: renderer.bytes(from: nil, to: screen), as: UTF8.self)
    }
    #expect(text(DiffRenderer(shade: shade)).contains("48;2;58;58;58"))
    #expect(text(DiffRenderer(tints: .palette, shade: shade)).contains("48;5;237"))
    for renderer in [
        DiffRenderer(), DiffRenderer(tints: .none, shade: shade),
        DiffRenderer(hasColors: false, shade: shade),
    ] {
        #expect(!text(renderer).contains("48;"))
        #expect(text(renderer).contains("▌") && text(renderer).contains("[1m"))
    }
}

@Test(arguments: [(UInt8(0), UInt8(31)), (30, 58), (255, 234), (200, 184)])
func aShadeGoesTowardsTheOtherEnd(ground: UInt8, shade: UInt8) {
    let color = Tint(red: ground, green: ground, blue: ground).shade
    #expect(color == Tint(red: shade, green: shade, blue: shade))
}

@Test func aKeptSearchIsAChipAndTheScopesShowWhichHolds() {
    var talk = ServedApp(after: "/", .text("bm"))
    #expect(talk.lines[1].contains("/ bm ") && !talk.lines[1].contains("✕"))
    talk.press("enter")
    #expect(talk.lines[1].contains("/  bm ✕ "))
    let screen = talk.app.draw()
    #expect(style(of: "bm ✕", in: screen) == Style(.blue, .reverse))
    #expect(style(of: "[Make] ", in: screen)?.attributes.contains(.reverse) == true)
    #expect(style(of: "Owner", in: screen) == .plain)
    let ascii = ServedApp(
        options: AppOptions(query: Query(search: .init(text: "bm", scope: "Make")), isASCII: true))
    #expect(ascii.lines[1].contains("/  bm [x] "))
}

@Test func onlyALiveConnectionIsGreen() {
    var talk = ServedApp(lists: [PlainCars.readOnly], after: "z")
    let screen = talk.app.draw()
    #expect(style(of: "⊘", in: screen)?.foreground == .yellow)
    #expect(style(of: "‖", in: screen)?.foreground == .yellow)
    #expect(style(of: "● live", in: screen)?.foreground == .green)
    talk.send(.disconnected(reason: "test"))
    #expect(style(of: "○ offline", in: talk.app.draw())?.foreground == .red)
}

@Test func allLinesOfTheCursorsRowAreShaded() {
    var talk = ServedApp(lists: [PlainCars.tall])
    for rowID in talk.server.cars.keys { talk.server.cars[rowID]?[5] = .integer(3) }
    talk.press("r", "j")
    let screen = talk.app.draw()
    let shaded = (0..<screen.size.rows).filter {
        screen[$0, 3].style.attributes.contains(.shaded)
    }
    #expect(shaded == Array(6...8))
}
