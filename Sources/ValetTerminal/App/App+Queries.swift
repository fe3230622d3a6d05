import ValetModel

/// Queries under names: `:save NAME` keeps the one that holds, `:open NAME` asks it again.
///
/// They are kept outside of the program, where other windows save theirs, too, so they are read
/// each time.
extension App {
    mutating func saveQuery(named name: String) -> [AppAction] {
        guard let list else { return [] }
        let query = list.query
        let reader = conditionReader(of: list.list)
        let saved = SavedQuery(
            name: name, list: list.list.name, grouping: query.grouping, sort: query.sort,
            search: query.search,
            conditions: query.conditions.map {
                list.typed.conditionHistory.text(of: $0, reader) ?? $0.text(in: reader.columns)
            })
        return [.file(.save(saved))]
    }

    func openQuery(named name: String?) -> [AppAction] {
        list.map { [.file(.read(.open(list: $0.list.name, name: name)))] } ?? []
    }

    mutating func take(_ result: Result<FileReply, ValetError>, to call: FileCall) -> [AppAction] {
        switch (call, result) {
        case (.read(let purpose), .success(.queries(let queries))):
            return take(queries, for: purpose)
        case (.save(let saved), .success(.saved(let isReplaced))):
            querySaved(saved.name, isReplaced: isReplaced)
        // To complete a name is no reason to speak.
        case (.read(.complete), .failure): break
        case (.read(.open), .failure(let error)):
            message = "The saved queries can't be read: \(error.description)"
        case (.save, .failure(let error)): message = "Not saved: \(error.description)"
        case (.read, .success(.saved)), (.save, .success(.queries)): break
        }
        return []
    }

    private mutating func take(
        _ queries: [SavedQuery], for purpose: FileCall.Purpose
    ) -> [AppAction] {
        guard let list else { return [] }
        let own = queries.filter { $0.list == list.list.name }
        self.list?.take(queryNames: own.map(\.name))
        guard case .open(list.list.name, let name) = purpose else { return [] }
        guard let name else {
            if own.isEmpty { message = "No saved queries. :save NAME saves this one" }
            palette = own.isEmpty ? nil : palette(of: own)
            return []
        }
        guard let place = NameLookup.index(of: name, in: own, by: \.name) else {
            return say("No saved query \(glyphs.quoted(name)). :open lists them")
        }
        return ask(own[place])
    }

    mutating func ask(_ saved: SavedQuery) -> [AppAction] {
        guard let list else { return [] }
        let (asked, lost) = saved.query(
            of: list.list, reader: conditionReader(of: list.list), glyphs: glyphs)
        let name = glyphs.quoted(saved.name)
        message =
            lost.isEmpty
            ? "Opened \(name)"
            : "Opened \(name) without \(lost.joined(separator: ", without ")), which "
                + "\(list.list.title) no longer has"
        return run(self.list?.ask(again: asked) ?? [])
    }

    private mutating func querySaved(_ name: String, isReplaced: Bool) {
        let name = glyphs.quoted(name)
        message = isReplaced ? "Replaced \(name)" : "Saved as \(name). :open \(name) opens it"
    }

    private func palette(of queries: [SavedQuery]) -> Palette {
        Palette(
            title: "Saved queries",
            items: queries.map {
                Palette.Item(keys: $0.name, title: $0.text(glyphs), choice: .ask($0))
            }, isWide: true)
    }

    /// Where `today` is now.
    func conditionReader(of list: ListDescription) -> ConditionReader {
        ConditionReader(columns: list.columns, now: clock.seconds, zone: clock.zone)
    }

    var clock: PersonClock {
        PersonClock(
            seconds: options.startSeconds + Int64(milliseconds / 1_000), zone: options.zone)
    }
}
