import ValetModel

/// Marked rows side by side, over the list.
extension App {
    mutating func compare() -> [AppAction] {
        guard let list else { return [] }
        guard list.marked.count > 1 else {
            let count = list.marked.isEmpty ? "Two rows" : "One more row"
            message = "\(count) must be marked to compare: M marks the row at the cursor"
            return []
        }
        let screen = CompareScreen(
            list.marked.map { row in
                ReadRow(
                    list: list.list, row: row, positions: list.columnPositions,
                    title: list.layout.nameText(
                        of: row, positions: list.columnPositions, glyphs: glyphs))
            }, glyphs: glyphs)
        comparison = screen
        return connection.isConnected ? read(screen.rows) : []
    }

    mutating func handleComparison(_ key: Key) -> [AppAction] {
        KeyTable.comparison[key].map { perform($0) } ?? run([ScreenOutcome.say("? lists the keys")])
    }

    mutating func perform(_ command: CompareCommand) -> [AppAction] {
        var actions: [AppAction] = []
        for outcome in comparison?.perform(command, size: size) ?? [] {
            switch outcome {
            case .close: comparison = nil
            case .removed(let rowID): takeOut(rowID)
            case .refresh:
                actions += connection.isConnected ? read(comparison?.rows ?? []) : [.reconnect]
            case .help: actions += run([ScreenOutcome.showHelp])
            case .say(let text): message = text
            }
        }
        return actions
    }

    private mutating func takeOut(_ rowID: Int64) {
        list?.marked.removeAll { $0.id == rowID }
        guard let comparison, comparison.rows.count < 2 else { return }
        self.comparison = nil
        message = "One row alone has nothing to differ from: M marks another"
    }

    mutating func handleComparison(_ mouse: MouseEvent) -> [AppAction] {
        switch mouse.kind {
        case .wheelUp: return perform(CompareCommand.move(.up))
        case .wheelDown: return perform(CompareCommand.move(.down))
        case .press(.left): comparison?.click(mouse.position, size: size)
        case .press, .release, .drag: break
        }
        return []
    }
}
