import ValetClient
import ValetModel

/// The full-screen client as a value: events in, actions out, and a screen for every state.
///
/// There is no clock, no network and no terminal here. The owner of an `App` passes it every event
/// in order, runs the actions that come back, and draws when no event is left. A key
/// never waits: what it asks for shows as a skeleton, a dimmed row or a spinner until the answer
/// comes.
///
///     catalog ──Enter──▸ list ──Enter──▸ detail        a palette may lie over each of them
///             ◂──q─────       ◂──q──────
package struct App: Sendable {
    var options: AppOptions
    let glyphs: Glyphs
    package internal(set) var size: Size
    var milliseconds = 0
    var connection = Connection()
    /// nil until it is loaded.
    var catalog: CatalogScreen?
    var catalogReading = CatalogReading()
    var list: ListScreen?
    /// Lists as they were left, the newest last: each keeps its query and place.
    private var leftLists: [ListScreen] = []
    /// The way back from rows that others refer to, the newest last.
    var visits: [Visit] = []
    /// What lies over it.
    var layers = Layers()
    /// Beside the list, where that is wanted.
    var pane = SidePane()
    var calls = Calls()
    var frames = Frames()
    /// Keys and pastes that came before there was anything to use them on.
    var typedAhead: [AppEvent] = []
    var linked = LinkedRows()
    var history: ShownHistory?
    var changes = OwnChanges()
    var refreshes = Refreshes()
    var exporting: RunningExport?
    /// Where others are.
    var others: [StationPresence] = []
    var log = MessageLog()
    /// ^C was the last key, and had nothing to cancel.
    var isQuitting = false

    /// Shown in the status line until the next key.
    var message: String? {
        get { log.message }
        set { log.say(newValue.map(glyphs.plain), at: milliseconds) }
    }

    package init(options: AppOptions, size: Size) {
        self.options = options
        self.size = size
        glyphs = Glyphs(isASCII: options.isASCII)
    }

    /// Shows a message, and does nothing else.
    mutating func say(_ text: String) -> [AppAction] {
        message = text
        return []
    }

    package mutating func handle(_ event: AppEvent) -> [AppAction] {
        let size = size
        defer { keepFrame(ofSize: size) }
        return react(to: event) + followCursor() + readLinked() + countReferring()
            + readAggregates()
    }

    private mutating func react(to event: AppEvent) -> [AppAction] {
        switch event {
        case .key(let key): return askBeforeEnding { app in app.goingOn { $0.handle(key) } }
        case .mouse(let mouse): return askBeforeEnding { app in app.goingOn { $0.handle(mouse) } }
        case .paste(let text):
            changes.watched = nil
            return paste(text)
        case .pasteTooLong: return notPasted(most: InputDecoder.bytesPerPaste)
        case .resized(let size):
            self.size = size
            let listSize = listSize
            return run(picker == nil ? list?.resize(to: listSize) ?? [] : [])
                + changeLayers { $0.resize(in: $1) }
        case .tick(let milliseconds):
            self.milliseconds = max(milliseconds, self.milliseconds)
            pane.shown?.detail.row.forgetChanges(at: self.milliseconds)
            return run(picker == nil ? list?.rest(at: self.milliseconds) ?? [] : [])
                + changeLayers { $0.tick(in: $1) }
        case .connecting:
            connection.connecting()
        case .connected:
            if connection.wasConnected { message = "Reconnected" }
            connection.connected()
            return run(picker == nil ? list?.connected(generation: calls.generation) ?? [] : [])
                + changeLayers { $0.connected(in: $1) } + readForm() + readCatalog()
                + (list == nil ? countRows() : [])
        case .disconnected(let reason):
            // Each attempt to connect again ends so too, and that is nothing new.
            if connection.isConnected || !connection.wasConnected {
                message = "Connection lost: \(reason)"
            }
            connection.disconnected(reason: reason)
            list?.disconnected()
            linked.disconnected()
            pane.shown?.detail.row.disconnected()
            layers.changeAll { $1.disconnected() }
        case .roundTrip(let milliseconds):
            connection.roundTrip(milliseconds: milliseconds)
            return readCatalogAgain() + run(list?.probeAggregates(at: self.milliseconds) ?? [])
        case .filesChanged:
            connection.isOutdated = true
            message = "Changed on the disk since it was read: open it again to see how it is now"
        case .othersChanged(let others): self.others = others
        case .nodeChanged(let node): take(node)
        case .answer(let token, let result): return take(result, to: token)
        case .fileAnswer(let call, let result): return take(result, to: call)
        }
        return []
    }

    /// What the list waits for is not meant for what a person has opened since.
    private mutating func goingOn(_ react: (inout App) -> [AppAction]) -> [AppAction] {
        let before = layers.all.count
        let actions = react(&self)
        if layers.all.count > before { _ = list?.stopWaiting() }
        return actions
    }

    // MARK: Going about

    mutating func open(_ opened: ListDescription, query: Query) -> [AppAction] {
        calls.generation += 1
        calls.forget(.matching)
        catalog?.select(named: opened.name)
        let size = size(for: opened)
        if let left = leftLists.firstIndex(where: { $0.list.isSame(as: opened) }) {
            list = leftLists.remove(at: left)
            let outcomes = list?.reopen(
                as: opened, generation: calls.generation, size: size,
                isConnected: connection.isConnected)
            return run(outcomes ?? [])
        }
        list = ListScreen(
            list: opened, query: query, generation: calls.generation, size: size,
            glyphs: glyphs, keymap: options.keymap, isConnected: connection.isConnected)
        offerDrafts(of: opened)
        return run(list?.open() ?? [])
    }

    /// True when the catalog is a place to go back to.
    var hasCatalogScreen: Bool { (catalog?.catalog.lists.count ?? 0) > 1 }

    /// Turns what a screen wants into actions.
    /// - Parameter layer: the place of the layer that wants it.
    mutating func run(_ outcomes: [ScreenOutcome], from layer: Int? = nil) -> [AppAction] {
        var actions: [AppAction] = []
        for outcome in outcomes {
            switch outcome {
            case .close: actions += layer.map { closeLayers(from: $0) } ?? []
            case .run(let command): actions += perform(command)
            case .choose(let choice): actions += choose(choice)
            case .toggleColumn(let column):
                actions += changeColumns { $0.toggle(column: column) }
            case .showColumns(let isAll):
                actions += changeColumns { $0.showColumns(all: isAll) }
            case .decide(let act): actions += decide(act)
            case .fill(let value): form?.pick(value)
            case .editRejected(let rowID, let otherwise):
                if let name = list?.list.name, let kept = changes.rejection(of: rowID, in: name) {
                    open(kept)
                    actions += readForm()
                } else {
                    actions += run(otherwise)
                }
            case .openPicker: actions += openPicker() ?? []
            case .pickByTyping(let key): actions += pick(typing: key)
            case .keepForLater(let event): keepForLater(event)
            case .filter(let conditions, let column):
                actions += run(list?.replace(conditionsOn: column, by: conditions) ?? [])
            case .goToSection(let section):
                actions += run(list?.go(toSection: section, at: milliseconds) ?? [])
            case .takeOut(let rowID): actions += takeOut(rowID)
            case .readRows: actions += connection.isConnected ? read(readRows) : [.reconnect]
            case .call(let call):
                // A list below a picker has no view: it asks when it is in front again.
                guard layer != nil || picker == nil || call.generation == 0 else { continue }
                guard !isBeforeOthers(call) else { continue }
                actions.append(calls.begin(call))
            case .unpin: actions += calls.unpin()
            case .reconnect: actions.append(.reconnect)
            case .readCatalog: actions += readCatalog()
            case .readQueryNames: actions.append(.file(.read(.complete)))
            case .act(let act, let row): actions += perform(act, on: row)
            case .actOnSelection(let act): actions += perform(act)
            case .setSelected(let assignment): actions += setSelected(assignment)
            case .add: beginAdding()
            case .undo: actions += submit(.undo, .undo)
            case .redo: actions += submit(.redo, .redo)
            case .pickSort:
                palette = list.map {
                    Help.sorts(
                        of: $0.list, now: $0.query.sort, isSectioned: $0.asksForSections,
                        glyphs: glyphs)
                }
            case .pickGrouping: palette = list.map { Help.groupings(of: $0.list) }
            case .togglePane: actions += togglePane()
            case .showHistory:
                guard let list, connection.isConnected else {
                    message = "Offline: the history can't be read"
                    continue
                }
                message = "Reading the history"
                let call = ServerCall.history(list: list.list.name, most: Limits.changesPerAnswer)
                actions.append(calls.begin(call))
            case .compare: actions += compare()
            case .pickColumns: palette = columnPicker
            case .pickColumn: palette = list.map { Help.columns(of: $0) }
            case .openFacets(let column): actions += openFacets(of: column)
            case .pickFacets: palette = list.map { Help.facets(of: $0.list) }
            case .typeCondition: actions += beginCondition()
            case .pickCondition:
                palette = pickCondition()
                if palette == nil { message = "No filters. f adds one" }
            case .editCondition(let place):
                guard let list, let condition = list.query.conditions[checked: place]
                else { continue }
                actions += beginCondition(condition.text(in: list.list.columns), replacing: place)
            case .saveQuery(let name): actions += saveQuery(named: name)
            case .openQuery(let name): actions += openQuery(named: name)
            case .export(let path): actions += export(to: path)
            case .showCommand: actions += showCommand()
            case .showHelp: palette = help
            case .showOthers: showOthers()
            case .back: actions += endVisit() ?? closeList()
            case .leave:
                // Whoever is to pick a row of one list has no business in the others.
                let isOnlyList = !hasCatalogScreen || options.picks && options.listName != nil
                actions += endVisit() ?? (isOnlyList ? [options.quit] : closeList())
            case .stay: actions += isPaneShown && pane.isOpen == true ? togglePane() : stay()
            case .copy(let template, let row, let name):
                let layout = list?.columns.layout
                let positions = list?.columns.positions ?? [:]
                actions += copy(template, of: row.id, named: name) { column in
                    layout?.storedCell(column, of: row, positions: positions)
                }
            case .say(let text): message = text
            case .sayMore(let text): message = message.map { $0 + text }
            case .refresh: actions += list.map { refresh($0.list) } ?? []
            }
        }
        calls.generation = max(calls.generation, frontView?.generation ?? 0)
        return actions
    }

    /// Keeps a key or a paste until the catalog is here, or the row of the form.
    mutating func keepForLater(_ event: AppEvent) {
        if typedAhead.count < App.mostTypedAhead { typedAhead.append(event) }
    }

    mutating func useTypedAhead() -> [AppAction] {
        let events = typedAhead
        typedAhead = []
        return events.flatMap { react(to: $0) }
    }

    private static let mostTypedAhead = 256
    private static let mostLeftLists = 16

    mutating func closeList() -> [AppAction] {
        guard hasCatalogScreen else { return stay() }
        visits = []
        if let list {
            leftLists = leftLists.suffix(App.mostLeftLists - 1) + [list]
            if let window = list.held.window { catalog?.learn(rows: window.listRows) }
        }
        list = nil
        let height = catalogHeight
        catalog?.scroll(height: height)
        calls.leaveView()
        calls.forget(.matching)
        return (connection.isConnected ? calls.cancel(.view) : []) + countRows()
    }

    /// Esc leaves no list; at the top it cancels a pick.
    mutating func stay() -> [AppAction] {
        if let cancelling = cancelExport() ?? cancelRefresh() { return cancelling }
        let isAtTop = list == nil || !hasCatalogScreen
        guard !isAtTop || !options.picks else { return [options.quit] }
        return say(isAtTop ? "q quits" : "q goes back to the lists")
    }
}
