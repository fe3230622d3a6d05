import ValetModel

/// Lines to pick from, with a prompt above: the best that fit what is typed come first.
///
/// A value, as the application is one: lines, keys and ticks go in, an ending comes out, and every
/// state has its screen.
package struct LinePicker: Sendable {
    package enum Ending: Hashable, Sendable {
        /// Lines by their numbers, in their order.
        case picked([Int])
        case cancelled
    }

    private var lines = FoundLines()
    /// Above the others, and never picked.
    private var header: [UInt8]?
    private let takesSeveral: Bool
    private var hasHeader: Bool
    private let glyphs: Glyphs
    package private(set) var size: Size
    private var field = TextField(limit: Limits.bytesPerSearch)
    /// The place of the cursor among what is found.
    private var selected = 0
    private var top = 0
    private var picked: Set<Int> = []
    private var isWhole = false
    private var message: String?

    /// - Parameters:
    ///   - hasHeader: whether the first line names the columns of the others.
    ///   - takesSeveral: whether Tab picks lines beside the one under the cursor.
    package init(hasHeader: Bool, takesSeveral: Bool, isASCII: Bool, size: Size) {
        (self.hasHeader, self.takesSeveral, self.size) = (hasHeader, takesSeveral, size)
        glyphs = Glyphs(isASCII: isASCII)
    }

    /// As it was read, without its end.
    package func line(_ number: Int) -> ArraySlice<UInt8> { lines.line(number) }

    // MARK: Events

    /// More lines were read.
    package mutating func add(_ read: [ArraySlice<UInt8>]) {
        var read = read[...]
        if hasHeader, let first = read.popFirst() { (header, hasHeader) = (Array(first), false) }
        if !read.isEmpty { lines.add(LineChunk(read)) }
    }

    /// There are no more.
    package mutating func ended() { isWhole = true }

    package mutating func resize(to size: Size) {
        self.size = size
        scroll()
    }

    package mutating func paste(_ text: String) {
        field.insert(text.split(whereSeparator: \.isNewline).joined(separator: " "))
        find()
    }

    package mutating func handle(_ key: Key) -> Ending? {
        message = nil
        switch KeyTable.lines[key] {
        case .accept: return accept()
        case .cancel: return .cancelled
        case .pick(let step):
            pick()
            move(by: step)
        case .pickAll: pickAll()
        case .move(let motion):
            selected = motion.place(from: selected, of: lines.count, page: max(body.count - 1, 1))
            scroll()
        case nil:
            let before = field.text
            if field.handle(key), field.text != before { find() }
        }
        return nil
    }

    private mutating func find() {
        lines.find(LineQuery(field.text))
        (selected, top) = (0, 0)
    }

    private mutating func accept() -> Ending? {
        if !picked.isEmpty { return .picked(picked.sorted()) }
        guard let line = lines.numbers(selected..<selected + 1).first else {
            message = lines.lineCount == 0 ? "There are no lines" : "No line fits"
            return nil
        }
        return .picked([line])
    }

    private mutating func pick() {
        guard takesSeveral else { return message = "Only one line can be picked: see --multi" }
        guard let line = lines.numbers(selected..<selected + 1).first else { return }
        if picked.remove(line) == nil { picked.insert(line) }
    }

    /// All that are found, or none of them.
    private mutating func pickAll() {
        guard takesSeveral else { return message = "Only one line can be picked: see --multi" }
        let all = lines.numbers(0..<lines.count)
        if picked.isSuperset(of: all) { picked.subtract(all) } else { picked.formUnion(all) }
    }

    private mutating func move(by step: Int) {
        selected = min(max(selected + step, 0), max(lines.count - 1, 0))
        scroll()
    }

    private mutating func scroll() {
        top = min(max(top, selected - max(body.count, 1) + 1), selected)
    }

    // MARK: Drawing

    private var body: Range<Int> {
        let first = header == nil ? 1 : 2
        return min(first, size.rows)..<max(size.rows - 1, min(first, size.rows))
    }

    /// - Parameter milliseconds: of a clock, which turns the sign that lines are read.
    package mutating func draw(at milliseconds: Int) -> Screen {
        var screen = Screen(size: size, isASCII: glyphs.isASCII)
        let body = body
        let numbers = lines.numbers(top..<top + body.count)
        if let header {
            screen.write(
                glyphs.plain(String(decoding: header, as: UTF8.self)), row: 1, column: 3,
                style: Style(.cyan, .bold))
        }
        for (offset, number) in numbers.enumerated() {
            let isSelected = top + offset == selected
            draw(number, isSelected: isSelected, on: &screen, body.lowerBound + offset)
        }
        screen.drawPrompt("> ", field, row: 0)
        screen.drawStatus(message ?? countText(milliseconds), help: helpText)
        return screen
    }

    private func draw(_ number: Int, isSelected: Bool, on screen: inout Screen, _ row: Int) {
        let text = glyphs.plain(
            String(decoding: lines.line(number).prefix(LineChunk.bytesLookedAt), as: UTF8.self))
        if isSelected { screen.write(glyphs.cursor, row: row, column: 0) }
        if picked.contains(number) {
            screen.write(glyphs.selected, row: row, column: 1, style: Style(.yellow, .bold))
        }
        screen.write(text, row: row, column: 3, style: isSelected ? .bold : .plain)
        for term in lines.query.terms.joined() where !term.isNegated {
            screen.emphasize(
                term.text, row: row, columns: 3..<size.columns,
                isAtStart: term.kind == .beginning || term.kind == .whole)
        }
    }

    private func countText(_ milliseconds: Int) -> String {
        let reading = isWhole ? "" : "\(glyphs.spinner(at: milliseconds)) "
        var text = "\(reading)\(lines.count.grouped) of \(lines.lineCount.grouped)"
        if !picked.isEmpty { text += "   \(picked.count.grouped) picked" }
        return lines.areSlips ? text + "   with a letter more, less or another" : text
    }

    private var helpText: String {
        takesSeveral
            ? "Enter picks   Tab marks   ^A all   Esc cancels" : "Enter picks   Esc cancels"
    }
}

enum LineCommand: Hashable, Sendable {
    case accept
    case cancel
    /// Picks the line, or puts it back, and goes on so many.
    case pick(Int)
    case pickAll
    case move(Motion)
}

extension KeyTable<LineCommand> {
    static let lines = KeyTable(
        Row.motionsWhileTyping(LineCommand.move) + [
            Row("enter", .accept, "pick the line, or all that are marked"),
            Row("tab", .pick(1), "mark the line, and move down"),
            Row("shift-tab", .pick(-1), "mark the line, and move up"),
            Row("^A", .pickAll, "mark all that are found, or none"),
            Row("esc ^C", .cancel, "pick nothing"),
        ])
}
