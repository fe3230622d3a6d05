import Testing

@testable import ValetTerminal

/// A terminal small enough to trust: it knows what the renderer sends, and records an issue for
/// anything else. Clusters that terminals disagree on are drawn one or more columns too wide.
struct TerminalEmulator {
    struct Cell: Equatable {
        var character: Character = " "
        var style = Style.plain
    }

    let size: Size
    private(set) var cells: [Cell]
    private(set) var row = 0
    private(set) var column = 0
    private(set) var isCursorShown = true
    private var style = Style.plain
    private var region: Range<Int>
    /// Rows as they were found right, until something is written there.
    private var right: [Int: ArraySlice<PackedCell>] = [:]
    /// The background of shaded cells.
    var shade: Tint?
    /// Columns that a contentious cluster takes too many (or, if negative, too few).
    var error = 0

    init(size: Size) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
        region = 0..<size.rows
    }

    /// Applies one whole frame.
    mutating func apply(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let byte = rest.first {
            switch byte {
            case 0x1B: applySequence(&rest)
            case 0x0A:
                #expect(row + 1 < size.rows, "a line feed on the last line would scroll")
                row += 1
                rest.removeFirst()
            case 0x0D:
                column = 0
                rest.removeFirst()
            default:
                #expect(byte >= 0x20 && byte != 0x7F, "a raw control \(byte)")
                let end = rest.firstIndex { $0 == 0x1B || $0 < 0x20 } ?? rest.endIndex
                for character in String(decoding: rest[..<end], as: UTF8.self) { put(character) }
                rest = rest[end...]
            }
        }
        #expect(style == .plain, "a frame leaves the style plain")
    }

    /// Records the first cell in which the terminal differs from `screen`.
    mutating func expect(_ screen: Screen, _ comment: String) {
        for row in 0..<size.rows where right[row] != screen.packedRow(row) {
            for column in 0..<size.columns where screen[row, column].width > 0 {
                let cell = screen[row, column]
                let shown = cells[row * size.columns + column]
                var style = cell.style
                if shade == nil { style.attributes.remove(.shaded) }
                // Equal characters may be other bytes, which a terminal shows differently.
                let isSame =
                    shown.character.utf8.elementsEqual(cell.character.utf8)
                    && (shown.style == style
                        || cell.character == " " && shown.style.looksOnBlanks(like: style))
                if !isSame {
                    Issue.record("\(row),\(column): \(shown) instead of \(cell); \(comment)")
                    return
                }
            }
            right[row] = screen.packedRow(row)
        }
        if let cursor = screen.cursor {
            #expect(Position(row: row, column: column) == cursor, "\(comment)")
        }
        #expect(isCursorShown == (screen.cursor != nil), "\(comment)")
    }

    private mutating func put(_ character: Character) {
        let width = CharacterWidth.width(of: character)
        #expect(width > 0, "a cluster with nothing to stand on: \(character.unicodeScalars)")
        let isContentious = CharacterWidth.isContentious(character)
        let drawn = isContentious ? max(1, width + error) : width
        right[row] = nil
        for offset in 0..<drawn where column + offset < size.columns {
            let spilled: Character = isContentious && offset >= width ? "▒" : " "
            cells[row * size.columns + column + offset] = Cell(
                character: offset == 0 ? character : spilled, style: style)
        }
        column = min(column + drawn, size.columns - 1)
    }

    private mutating func applySequence(_ rest: inout ArraySlice<UInt8>) {
        rest.removeFirst()
        #expect(rest.first == UInt8(ascii: "["), "only CSI sequences are sent")
        rest = rest.dropFirst()
        let end = rest.firstIndex { (0x40...0x7E).contains($0) } ?? rest.endIndex
        let parameters = String(decoding: rest[..<end], as: UTF8.self)
        let final = end < rest.endIndex ? rest[end] : 0
        rest = rest.dropFirst(end - rest.startIndex + 1)
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch (parameters.first, final) {
        case ("?", UInt8(ascii: "h")), ("?", UInt8(ascii: "l")):
            if parameters == "?25" { isCursorShown = final == UInt8(ascii: "h") }
        case (_, UInt8(ascii: "H")): (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case (_, UInt8(ascii: "G")): column = numbers[0] - 1
        case (_, UInt8(ascii: "K")): blank(row * size.columns + column..<(row + 1) * size.columns)
        case (_, UInt8(ascii: "X")):
            #expect(style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough]))
            right[row] = nil
            for place in column..<min(column + numbers[0], size.columns) {
                cells[row * size.columns + place] = Cell(style: style)
            }
        case (_, UInt8(ascii: "J")): blank(cells.indices)
        case (_, UInt8(ascii: "m")): applyStyle(numbers)
        case (_, UInt8(ascii: "r")):
            region = numbers.count == 2 ? numbers[0] - 1..<numbers[1] : 0..<size.rows
            (row, column) = (0, 0)
        case (_, UInt8(ascii: "M")): moveLines(by: numbers[0])
        case (_, UInt8(ascii: "L")): moveLines(by: -numbers[0])
        default: Issue.record("an unknown sequence: \(parameters) \(final)")
        }
    }

    private mutating func blank(_ range: Range<Int>) {
        #expect(style == .plain, "blanks take the style that holds")
        for index in range { cells[index] = Cell() }
        for row in range.lowerBound / size.columns..<range.upperBound / size.columns + 1 {
            right[row] = nil
        }
    }

    private mutating func moveLines(by count: Int) {
        #expect(row == region.lowerBound)
        let old = cells
        for row in region {
            right[row] = nil
            for column in 0..<size.columns {
                let source = row + count
                cells[row * size.columns + column] =
                    region.contains(source) ? old[source * size.columns + column] : Cell()
            }
        }
    }

    private mutating func applyStyle(_ codes: [Int]) {
        if codes.isEmpty { style = .plain }
        var codes = codes[...]
        while let code = codes.popFirst() {
            switch code {
            case 38, 48:
                #expect(codes.popFirst() == 2)
                let parts = codes.prefix(3).map { UInt8(clamping: $0) }
                codes = codes.dropFirst(3)
                let tint = Tint(red: parts[0], green: parts[1], blue: parts[2])
                if code == 38 {
                    style.tint = tint
                } else {
                    #expect(tint == shade)
                    style.attributes.insert(.shaded)
                }
            case 0: style = .plain
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 9: style.attributes.insert(.strikethrough)
            default:
                guard let color = Style.Foreground(rawValue: UInt8(code - 30)) else {
                    Issue.record("an unknown style \(code)")
                    continue
                }
                style.foreground = color
            }
        }
    }
}
