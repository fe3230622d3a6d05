import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// The columns of a list, without the list.
@Suite struct ShownColumnsTests {
    private let room = ShownColumns.Room(width: 30, sort: [])

    @Test func aColumnIsHiddenAndShownWithoutAskingForRows() throws {
        var columns = ShownColumns(of: PlainCars.table)
        let before = columns.read
        #expect(columns.toggle(2, of: PlainCars.table) == true)
        #expect(!columns.layout.tableOrder.contains(2) && columns.read == before)
        #expect(columns.toggle(2, of: PlainCars.table) == true)
        #expect(columns.layout.tableOrder.contains(2))
    }

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

/// What is on the screen, without the screen.
@Suite struct ViewportTests {
    private func window(_ ids: [Int64?], first: Int = 0, revision: UInt64) -> Window {
        Window(
            generation: 1, revision: revision, totalRows: 100, totalSections: 0, anchor: first,
            anchorRow: 0, first: first, rows: ids.map { $0.map { Row(id: $0, cells: []) } },
            runs: [])
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
                    [(12, 0), (11, -1), (13, 1), (10, -2), (14, 2)].map {
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
