/// The wheels on the screen. Clicks go by the layout that draws.
extension WheelPicker {
    enum Target: Hashable, Sendable {
        /// A value of a wheel, so far below the selected one.
        case value(wheel: Int, distance: Int)
        case command(WheelCommand)
        case box
    }

    private struct Layout {
        var box: Box
        /// Of each wheel that fits.
        var columns: [Range<Int>]
        var label: Int
        var values: Range<Int>
        /// Those that are only named do nothing.
        var keys: Buttons<WheelCommand?>
        var firstKey: Int
    }

    private static let lines = 5
    private static let widest = 24

    private func keys(_ glyphs: Glyphs) -> [(text: String, act: WheelCommand?)] {
        let (turn, other) = glyphs.isASCII ? ("Up Down", "Left Right") : ("↑↓", "←→")
        let more = wheels.count > 1 ? [("\(other) wheel", WheelCommand?.none)] : []
        return [("\(turn) turn", nil)] + more + [("Enter pick", .choose), ("Esc back", .cancel)]
    }

    private func layout(_ size: Size, _ glyphs: Glyphs) -> Layout {
        let sanitizer = glyphs.sanitizer
        let widths = wheels.map { wheel -> Int in
            let texts =
                switch wheel.values {
                case .texts(let texts): texts
                case .numbers: Self.around(wheel).map(\.text)
                }
            let label = sanitizer.width(of: wheel.label, limit: Self.widest)
            let widest = texts.map { sanitizer.width(of: $0, limit: Self.widest) }.max() ?? 1
            return min(max(widest, label, 4), Self.widest) + 2
        }
        let keys = Buttons(keys(glyphs), width: max(size.columns - 4, 1), sanitizer)
        let inner = max(widths.reduce(0, +) + widths.count, keys.width, 20)
        let box = Box(columns: inner + 4, rows: Self.lines + 3 + keys.lineCount, inMiddleOf: size)
        let top = box.rows.lowerBound
        var columns: [Range<Int>] = []
        var column = box.columns.lowerBound + 2
        for wheelWidth in widths {
            let room = min(wheelWidth, box.columns.upperBound - 1 - column)
            guard room > 0 else { break }
            columns.append(column..<column + room)
            column += wheelWidth + 1
        }
        let end = max(box.rows.upperBound - 1 - keys.lineCount, top + 1)
        return Layout(
            box: box, columns: columns, label: top + 1,
            values: min(top + 2, end)..<min(top + 2 + Self.lines, end), keys: keys, firstKey: end)
    }

    func target(at position: Position, _ size: Size, _ glyphs: Glyphs) -> Target? {
        let layout = layout(size, glyphs)
        guard layout.box.contains(position) else { return nil }
        let key = layout.keys.act(
            line: position.row - layout.firstKey,
            column: position.column - layout.box.columns.lowerBound - 2)
        if case .some(let command?) = key { return .command(command) }
        guard layout.values.contains(position.row),
            let wheel = layout.columns.firstIndex(where: { $0.contains(position.column) })
        else { return .box }
        let line = position.row - layout.values.lowerBound
        guard Self.around(wheels[wheel])[line].place != nil else { return .box }
        return .value(wheel: wheel, distance: line - Self.lines / 2)
    }

    // MARK: Drawing

    func draw(on screen: inout Screen, glyphs: Glyphs) {
        let layout = layout(screen.size, glyphs)
        layout.box.draw(on: &screen, title: title, glyphs)
        for (place, columns) in layout.columns.enumerated() {
            draw(place, columns, on: &screen, layout, glyphs)
        }
        let (left, right) = (layout.box.columns.lowerBound, layout.box.columns.upperBound)
        layout.keys.draw(
            on: &screen, row: layout.firstKey, column: left + 2,
            lines: layout.box.rows.upperBound - 1 - layout.firstKey, end: right - 2
        ) { _ in .dim }
    }

    private func draw(
        _ place: Int, _ columns: Range<Int>, on screen: inout Screen, _ layout: Layout,
        _ glyphs: Glyphs
    ) {
        let wheel = wheels[place]
        let isFocused = place == focus
        let (column, width) = (columns.lowerBound, columns.count)
        screen.write(
            wheel.label, row: layout.label, column: column + 1, width: width - 1,
            style: isFocused ? .bold : .dim)
        for (row, value) in zip(layout.values, Self.around(wheel)) {
            let isSelected = value.place == wheel.selected
            let style: Style =
                !isSelected ? .dim : isFocused ? .reverse.with(.bold) : Style(.standard, .bold)
            if isSelected { screen.fill(" ", row: row, columns: columns, style: style) }
            screen.write(
                sign(at: value.place, of: place, glyphs), row: row, column: column, style: style)
            screen.write(value.text, row: row, column: column + 1, width: width - 1, style: style)
            if isSelected, isFocused { screen.cursor = Position(row: row, column: column + 1) }
        }
    }

    /// `▌` on the line that Enter takes, in the wheel that has the keys; `•` what stood there.
    private func sign(at value: Int?, of place: Int, _ glyphs: Glyphs) -> String {
        let wheel = wheels[place]
        guard let value else { return " " }
        if place == focus, value == wheel.selected { return glyphs.cursor }
        return value == wheel.original ? glyphs.changed : " "
    }

    /// The selected value in the middle of its neighbours, each shown once.
    private static func around(_ wheel: Wheel) -> [(place: Int?, text: String)] {
        let half = lines / 2
        return (-half...half).map { distance in
            guard wheel.count > 0, isNear(distance, wheel.count) else { return (nil, "") }
            let place = (wheel.selected + distance) % wheel.count
            let positive = (place + wheel.count) % wheel.count
            return (positive, wheel.text(positive))
        }
    }

    /// A wheel of few values shows none of them twice.
    private static func isNear(_ distance: Int, _ count: Int) -> Bool {
        distance > 0 ? distance <= count / 2 : -distance <= (count - 1) / 2
    }
}
