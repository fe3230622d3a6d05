import ValetModel

/// A question in the status line before something is lost. The safe answer is the default.
struct Confirmation: Layer, Hashable {
    enum Act: Hashable, Sendable {
        case discardForm
        case addEmptyRow
        /// - Parameter list: as it was when it was asked. By the time of the answer its columns and
        ///   row ids may be others.
        case submit(OwnChanges.Act, Change, title: String, list: ListDescription)
        case end(Ending)
        case showUnsaved
        /// With the rows of the query that holds.
        case replaceFile(String)
    }

    let question: String
    /// What the safe answer is called, and the other one.
    let keep: String
    let act: String
    let doing: Act
    /// A third answer.
    var other: Other?
    /// What others have changed, as the question says it.
    var about: Conflict?

    struct Other: Hashable, Sendable {
        let act: String
        let doing: Act
    }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        KeyTable.confirmation[key].map(outcomes) ?? []
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        guard mouse.kind == .press(.left), mouse.position.row == context.size.rows - 1
        else { return [] }
        let sanitizer = context.glyphs.sanitizer
        let column = mouse.position.column - answerColumn(context.size, sanitizer)
        return answers(sanitizer).act(line: 0, column: column).map(outcomes) ?? []
    }

    private func outcomes(_ answer: ConfirmationCommand) -> [ScreenOutcome] {
        switch answer {
        case .keep: [.close]
        case .act: [.close, .decide(doing)]
        case .other: other.map { [.close, .decide($0.doing)] } ?? []
        }
    }

    private func answers(_ sanitizer: Sanitizer) -> Buttons<ConfirmationCommand> {
        var answers = [("[\(keep)]", ConfirmationCommand.keep), ("y \(act)", .act)]
        if let other { answers.append(("s \(other.act)", .other)) }
        return Buttons(answers, width: .max, gap: 2, sanitizer)
    }

    /// The answers are seen, however narrow the screen is.
    private func questionRoom(_ size: Size, _ answers: Buttons<ConfirmationCommand>) -> Int {
        max(size.columns - answers.width - 4, 0)
    }

    private func answerColumn(_ size: Size, _ sanitizer: Sanitizer) -> Int {
        let room = questionRoom(size, answers(sanitizer))
        return room > 0 ? 3 + min(sanitizer.width(of: question, limit: room), room) : 1
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        let (size, row) = (screen.size, screen.size.rows - 1)
        let answers = answers(screen.sanitizer)
        let column = answerColumn(size, screen.sanitizer)
        screen.fill(" ", row: row, columns: 0..<size.columns)
        screen.write(
            question, row: row, column: 1, width: questionRoom(size, answers), style: .bold)
        screen.cursor = Position(row: row, column: min(column, size.columns - 1))
        answers.draw(on: &screen, row: row, column: column, lines: 1, end: size.columns) {
            $0 == .keep ? .reverse : .plain
        }
    }
}
