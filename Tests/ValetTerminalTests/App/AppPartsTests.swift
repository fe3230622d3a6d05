import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// The columns of a list, without the list.
@Suite struct ShownColumnsTests {
    private let room = ShownColumns.Room(width: 30, sort: [])

    @Test func moreColumnsThanFitAreRefused() {
        var wide = PlainCars.table
        let one = ColumnDescription(name: "more", label: "More", type: .text)
        while wide.columns.count < RowLayout.tableColumns + 9 { wide.columns.append(one) }
        var columns = ShownColumns(of: wide)
        let hidden = wide.columns.indices.filter { !columns.layout.tableOrder.contains($0) }
        var refused = 0
        for column in hidden where columns.toggle(column, of: wide) == nil { refused += 1 }
        #expect(refused > 0 && columns.layout.tableOrder.count <= RowLayout.tableColumns + 1)
    }

    @Test func theCellCursorStaysAmongTheColumnsAndInSight() {
        var columns = ShownColumns(of: PlainCars.table)
        #expect(!columns.hasChosen)
        for step in [1, 1, 1, 9, -2, -99, 3] {
            columns.move(by: step, in: room)
            let current = columns.current ?? -1
            #expect(columns.layout.tableOrder.contains(current))
            let isSeen = columns.placed(in: room).contains { $0.column == current && !$0.isCut }
            #expect(isSeen || columns.layout.tableOrder.first == current, "step \(step)")
        }
        #expect(columns.hasChosen)
    }

    @Test func aWiderScreenIsFilled() {
        var columns = ShownColumns(of: PlainCars.table)
        columns.move(by: 99, in: room)
        #expect(columns.sideways > 0)
        columns.fill(room)
        #expect(columns.sideways > 0, "as wide as before")
        columns.fill(ShownColumns.Room(width: 300, sort: []))
        #expect(columns.sideways == 0)
    }

    @Test func aListOfCellsHasNoCellCursor() {
        #expect(ShownColumns(of: PlainCars.cars).current == nil)
    }

    @Test func rowsCarryWhatIsReadBesides() {
        var columns = ShownColumns(of: PlainCars.cars)
        columns.alsoReads(3)
        columns.alsoReads(3)
        #expect(columns.read.count { $0 == 3 } == 1)
        let place = columns.positions[3] ?? -1
        var row = Row(id: 1, cells: columns.read.map { .integer(Int64($0)) })
        #expect(columns.cell(3, of: row) == .integer(3))
        row.cells = Array(row.cells.prefix(place))
        #expect(columns.cell(3, of: row) == nil, "a page may carry fewer")
    }
}

extension Window {
    /// Some of a hundred rows.
    fileprivate init(_ rows: [Row?], first: Int, revision: UInt64) {
        self.init(
            generation: 1, revision: revision, totalRows: 100, totalSections: 0, anchor: first,
            first: first, rows: rows, runs: [])
    }
}

/// What is on the screen, without the screen.
@Suite struct ViewportTests {
    private func window(_ ids: [Int64?], first: Int, revision: UInt64) -> Window {
        Window(ids.map { $0.map { Row(id: $0, cells: []) } }, first: first, revision: revision)
    }

    private func viewport(at ordinal: Int) -> Viewport {
        var viewport = Viewport()
        viewport.held.take(window([10, 11, 12, 13, 14], first: 50, revision: 1))
        viewport.cursor = Viewport.Cursor(ordinal: ordinal, rowID: Int64(ordinal - 40), line: 3)
        return viewport
    }

    @Test func itsAnchorIsTheRowAndThoseNextToIt() {
        #expect(
            viewport(at: 52).anchorAtCursor
                == .rows(
                    [(12, 0), (11, -1), (13, 1), (12, 0), (14, 2), (10, -2)].map {
                        AnchorRow(id: $0.0, line: $0.1)
                    }, otherwise: .ordinal(52)))
        #expect(viewport(at: 90).anchorAtCursor == .ordinal(90), "nothing is here")
    }

    @Test func aRowThatHasGoneIsSoughtByItsNeighbours() {
        let viewport = viewport(at: 52)
        let previous = window([10, 11, 12, 13, 14], first: 50, revision: 1)
        func place(_ ids: [Int64?], first: Int) -> Int? {
            viewport.placeWithoutRow(in: window(ids, first: first, revision: 2), previous: previous)
        }
        #expect(place([10, 11, 13, 14], first: 50) == 52, "behind the one before")
        #expect(place([13, 14], first: 60) == 60, "at the next one")
        #expect(place([70, 71], first: 50) == nil, "nothing of what was around it")
        #expect(place([nil, 71], first: 50) == 52, "not all is here yet")
    }

    @Test func oneRowAtMostIsOutOfPlace() {
        var viewport = viewport(at: 52)
        viewport.outOfPlace = .dropped(LiftedRow(row: Row(id: 1, cells: []), section: nil))
        viewport.gone = nil
        #expect(viewport.dropped != nil, "no other goes with it")
        viewport.outOfPlace = nil
        #expect(viewport.dropped == nil && viewport.gone == nil)
    }
}

@Suite struct HeldRowsTests {
    private func window(_ first: Int, revision: UInt64, isComplete: Bool = true) -> Window {
        let rows = (first..<first + 10).map {
            isComplete ? Row(id: Int64($0), cells: [.integer(Int64(revision))]) : nil
        }
        return Window(rows, first: first, revision: revision)
    }

    /// A row's number means another row in another revision.
    @Test func rowsOfAnEarlierRevisionGoWhenTheNewerWindowIsWhole() {
        var held = HeldRows()
        held.take(window(0, revision: 1))
        held.take(window(10, revision: 1))
        #expect(held.row(at: 5)?.isStale == true, "seen before, and shown dimmed")
        held.take(window(10, revision: 2, isComplete: false))
        #expect(held.row(at: 5)?.row.cells == [.integer(1)])
        #expect(held.row(at: 12)?.isStale == true, "it stands in for what is not here yet")
        held.take(window(10, revision: 2))
        #expect(held.row(at: 5) == nil)
        #expect(held.row(at: 12)?.row.cells == [.integer(2)])
        held.take(window(20, revision: 2))
        #expect(held.row(at: 12)?.row.cells == [.integer(2)])
    }
}

/// Which frame is shown while an answer is on its way.
@Suite struct FramesTests {
    private func screen(_ text: String) -> Screen {
        var screen = Screen(size: Size(columns: 10, rows: 1))
        screen.write(text, row: 0, column: 0)
        return screen
    }

    /// A whole frame, then an answer is missing from 1,000 on.
    private func waiting(isNews: Bool = false) -> Frames {
        var frames = Frames()
        frames.drew(screen("whole"))
        frames.handled(isAnswered: false, isNews: isNews, at: 1_000)
        return frames
    }

    @Test func aWholeFrameStandsForAMomentAndMoreEventsDoNotHoldItLonger() {
        var frames = waiting()
        #expect(!frames.isWhole)
        frames.handled(isAnswered: false, isNews: false, at: 1_070)
        #expect(frames.standing(at: 1_079) == screen("whole"))
        #expect(frames.standing(at: 1_080) == nil)
    }

    @Test func newsIsShownAtOnceAndGoesOnBeingShown() {
        var frames = waiting(isNews: true)
        #expect(frames.standing(at: 1_000) == nil)
        frames.handled(isAnswered: false, isNews: false, at: 1_010)
        #expect(frames.standing(at: 1_010) == nil)
    }

    @Test func aFrameThatIsNotWholeDoesNotStand() {
        var frames = waiting()
        frames.drew(screen("half"))
        frames.handled(isAnswered: true, isNews: false, at: 1_100)
        frames.handled(isAnswered: false, isNews: false, at: 1_110)
        #expect(frames.standing(at: 1_110) == nil)
    }

    @Test func anAnswerThatIsMissingForLongIsSlow() {
        var frames = waiting()
        #expect(!frames.isSlow(at: 2_999) && frames.isSlow(at: 3_000))
        frames.handled(isAnswered: true, isNews: false, at: 3_000)
        #expect(frames.isWhole && !frames.isSlow(at: 9_000))
    }
}

/// The stack of what lies over the list.
@Suite struct LayersTests {
    private var stack: Layers {
        var layers = Layers()
        layers[FormScreen.self] = form
        layers[Palette.self] = Palette(title: "one", items: [])
        layers[ValetTerminal.Confirmation.self] = question
        return layers
    }

    private let form = FormScreen(.add, of: PlainCars.cars, glyphs: Glyphs(isASCII: true))
    private let question = ValetTerminal.Confirmation(
        question: "?", keep: "Keep", act: "Act", doing: .discardForm)

    private func names(_ layers: Layers) -> [String] { layers.all.map { "\(type(of: $0))" } }

    @Test func aNewOneComesOnTop() {
        #expect(names(stack) == ["FormScreen", "Palette", "Confirmation"])
        #expect(stack.top is ValetTerminal.Confirmation)
    }

    @Test func anotherOfItsKindTakesItsPlace() {
        var layers = stack
        layers[Palette.self] = Palette(title: "two", items: [])
        #expect(names(layers) == ["FormScreen", "Palette", "Confirmation"])
        #expect(layers[Palette.self]?.title == "two")
    }

    @Test func oneThatGoesTakesAllOverItAlong() {
        var layers = stack
        layers[Palette.self] = nil
        #expect(names(layers) == ["FormScreen"])
        layers[Palette.self] = nil
        #expect(names(layers) == ["FormScreen"])
        layers.close(from: 7)
        layers.close(from: 0)
        #expect(layers.isEmpty && layers.top == nil && layers.shown.isEmpty)
    }

    @Test func aReplacedOneTakesAllOverItAlong() {
        var layers = stack
        layers.replace(FormScreen.self, with: Palette(title: "three", items: []))
        #expect(names(layers) == ["Palette"])
    }

    @Test func aTypedTextIsKept() {
        var layers = Layers()
        layers[Palette.self] = Palette(title: "one", items: [])
        layers[ValetTerminal.Confirmation.self] = question
        layers[FormScreen.self] = form
        layers.keepEdits()
        #expect(names(layers) == ["Confirmation", "FormScreen"])
    }

    @Test func aLayerUnderAFullScreenIsNotDrawn() {
        var layers = Layers()
        layers[Palette.self] = Palette(title: "one", items: [])
        layers[FormScreen.self] = form
        layers[ValetTerminal.Confirmation.self] = question
        #expect(layers.shown.map { "\(type(of: $0))" } == ["FormScreen", "Confirmation"])
    }
}
