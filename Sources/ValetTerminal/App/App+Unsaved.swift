import ValetClient
import ValetModel

/// What was typed and is not stored: asked about at the end, kept for the next start, and offered
/// again.
extension App {
    /// Changes without an outcome may not have been sent, and what is typed is nowhere else.
    mutating func askBeforeEnding(_ react: (inout App) -> [AppAction]) -> [AppAction] {
        changes.watched = nil
        var isSure = false
        if case .end? = confirmation?.doing { isSure = true }
        let actions = react(&self)
        let onScreen = layers.all.reduce(0) { $0 + $1.unsavedCount }
        let count = changes.unsavedCount(besides: onScreen > 0 ? edited : nil) + onScreen
        guard count > 0 || exporting != nil, !isSure,
            let ending = actions.lazy.compactMap(\.chosenEnding).first
        else { return actions }
        let subject = count == 1 ? "1 change is" : "\(count) changes are"
        let mayBeSaved = !changes.hasRejections && onScreen == 0
        let unsaved = "\(subject) not saved\(mayBeSaved ? " yet" : "")"
        let unwritten = exporting.map { "\($0.request.path) is not written yet" }
        confirmation = Confirmation(
            question: "\(count > 0 ? unsaved : unwritten ?? unsaved). Quit?",
            keep: "Stay", act: "Quit", doing: .end(ending),
            other: changes.hasRejections ? .init(act: "Show", doing: .showUnsaved) : nil)
        return actions.filter { $0.chosenEnding == nil }
    }

    /// What was not taken, also of rows that are in no list any more.
    var unsavedPalette: Palette {
        Palette(
            title: "Not saved",
            items: changes.unsavedForms(besides: nil).filter { $0.rejection != nil }.map { form in
                Palette.Item(
                    keys: form.list.title, title: form.title.isEmpty ? "a new row" : form.title,
                    choice: .openRejection(form.rejection ?? 0))
            })
    }

    mutating func openRejection(_ number: Int) -> [AppAction] {
        guard let rejection = changes.rejection(number: number) else { return [] }
        // More may have been typed since it was not taken.
        if edited?.isSameEdit(as: rejection.form) == true { return [] }
        let other = try? catalog?.catalog.list(named: rejection.form.list.name)
        let isHere = list?.list.name == rejection.form.list.name
        guard isHere || other != nil else {
            return say("There is no list \(glyphs.quoted(rejection.form.list.title))")
        }
        // What is typed on the screen is not lost for what is shown in its place.
        if let edited, layers.all.contains(where: { $0.unsavedCount > 0 }) {
            changes.reject(edited, conflicts: conflict?.conflicts)
        }
        // A row of the list that is left means nothing in another.
        var going = closeLayers(from: 0)
        if !isHere, let other {
            going += (list == nil ? [] : closeList()) + open(other, query: Query())
        }
        open(rejection)
        return going + readForm()
    }

    // MARK: From start to start

    /// What is to be kept when the program ends: of a list that was not opened again, what was kept
    /// before.
    /// - Parameter wasEnded: by a signal, so that nobody was asked about what is not saved.
    package func drafts(wasEnded: Bool) -> [Draft] {
        guard wasEnded else { return options.drafts }
        let forms = [edited].compactMap(\.self) + changes.unsavedForms(besides: edited)
        let deeds = changes.waiting.filter { $0.form == nil }.map {
            Draft(list: $0.list, deed: words(of: $0))
        }
        return options.drafts + forms.compactMap(\.draft) + deeds
    }

    /// The first of them stays on the screen; all are among the messages.
    private mutating func sayStartNotes() {
        for note in options.startNotes.reversed() { message = note }
        options.startNotes = []
    }

    /// What to say where the lists come first.
    mutating func announceDrafts(in lists: [ListDescription]) {
        sayStartNotes()
        let titles = lists.filter { list in options.drafts.contains { $0.list == list.name } }
            .map(\.title)
        guard !titles.isEmpty else { return }
        message =
            "Not saved last time: changes in \(titles.joined(separator: ", ")). Enter shows them"
    }

    /// Changes are on their way to the server.
    package var isSaving: Bool { connection.isConnected && !changes.waiting.isEmpty }

    /// What was left in a list is there again, as what was not taken.
    mutating func offerDrafts(of list: ListDescription) {
        sayStartNotes()
        let deeds = takeDeeds(in: list)
        let own = options.drafts.filter { $0.list == list.name }
        guard let first = own.first else { return }
        // One of each row, the newest: others, of other windows, are kept for the next start.
        for draft in own.reversed() {
            guard let rowID = draft.rowID, changes.rejection(of: rowID, in: list.name) == nil else {
                continue
            }
            changes.reject(FormScreen(draft, of: list, glyphs: glyphs), conflicts: nil)
            options.drafts.removeAll { $0 == draft }
        }
        offerNewRow(of: list)
        let title = first.rowID == nil ? "a new row" : glyphs.quoted(first.title)
        let more = own.count > 1 ? " and \(own.count - 1) more" : ""
        let key = first.rowID == nil ? "+" : "e on its row"
        let edits = "Not saved last time: \(title)\(more). \(key) opens it"
        message = [edits, deeds].compactMap(\.self).joined(separator: ". ")
    }

    /// What needs no typing is soon done again, so it is said once. Some of it may have reached the
    /// server.
    private mutating func takeDeeds(in list: ListDescription) -> String? {
        let deeds = options.drafts.filter { $0.list == list.name }.compactMap(\.deed)
        guard !deeds.isEmpty else { return nil }
        options.drafts.removeAll { $0.list == list.name && $0.deed != nil }
        message = "Not confirmed last time: \(deeds.joined(separator: ", "))"
        return message
    }

    /// New rows are offered one after the other.
    mutating func offerNewRow(of list: ListDescription) {
        guard changes.rejection(of: nil, in: list.name) == nil,
            let place = options.drafts.firstIndex(where: {
                $0.list == list.name && $0.rowID == nil
            })
        else { return }
        let draft = options.drafts.remove(at: place)
        changes.reject(FormScreen(draft, of: list, glyphs: glyphs), conflicts: nil)
    }
}
