import ValetModel

/// Questions under names: `:save NAME` keeps the one that holds, `:open NAME` asks it again.
///
/// They are kept outside of the program, where other windows save theirs, too, so they are read
/// each time.
extension App {
    /// What waits until the saved questions are read.
    struct Opening: Hashable, Sendable {
        var list: String
        /// nil to choose from all.
        var name: String?
    }

    mutating func saveQuestion(named name: String) -> [AppAction] {
        guard let list else { return [] }
        let question = list.question
        let reader = conditionReader(of: list.list)
        return [
            .saveQuestion(
                SavedQuestion(
                    name: name, list: list.list.name, grouping: question.grouping,
                    sort: question.sort, search: question.search,
                    conditions: question.conditions.map {
                        list.conditionHistory.text(of: $0, reader) ?? $0.text(in: reader.columns)
                    }))
        ]
    }

    mutating func openQuestion(named name: String?) -> [AppAction] {
        opening = list.map { Opening(list: $0.list.name, name: name) }
        return [.readQuestions]
    }

    mutating func take(_ questions: [SavedQuestion]) -> [AppAction] {
        guard let list else { return [] }
        let own = questions.filter { $0.list == list.list.name }
        self.list?.take(questionNames: own.map(\.name))
        guard let opening, opening.list == list.list.name else { return [] }
        self.opening = nil
        guard let name = opening.name else {
            if own.isEmpty { message = "No question is saved; save NAME keeps the one that holds" }
            palette = own.isEmpty ? nil : palette(of: own)
            return []
        }
        guard let place = NameLookup.index(of: name, in: own, by: \.name) else {
            message = "No question is called \(glyphs.quoted(name)); open alone lists them"
            return []
        }
        return ask(own[place])
    }

    mutating func ask(_ saved: SavedQuestion) -> [AppAction] {
        guard let list else { return [] }
        let (asked, lost) = saved.question(
            of: list.list, reader: conditionReader(of: list.list), glyphs: glyphs)
        let name = glyphs.quoted(saved.name)
        message =
            lost.isEmpty
            ? "\(name) is asked again"
            : "\(name) is asked without \(lost.joined(separator: ", without ")), which "
                + "\(list.list.title) doesn't have any more"
        return run(self.list?.ask(again: asked) ?? [])
    }

    mutating func questionSaved(_ name: String, isReplaced: Bool) {
        let name = glyphs.quoted(name)
        message =
            isReplaced
            ? "\(name) is replaced by the question that holds now"
            : "Saved as \(name): open \(name) asks it again"
    }

    mutating func questionsFailed(_ error: ValetError) {
        // To complete a name is no reason to speak.
        guard opening != nil else { return }
        opening = nil
        message = "The saved questions can't be read: \(error.description)"
    }

    private func palette(of questions: [SavedQuestion]) -> Palette {
        Palette(
            title: "Saved questions",
            items: questions.map {
                Palette.Item(keys: $0.name, title: $0.text(glyphs), choice: .ask($0))
            }, isWide: true)
    }

    /// Where `today` is now.
    func conditionReader(of list: ListDescription) -> ConditionReader {
        ConditionReader(
            columns: list.columns, now: options.startSeconds + Int64(milliseconds / 1_000),
            zone: options.zone)
    }
}
