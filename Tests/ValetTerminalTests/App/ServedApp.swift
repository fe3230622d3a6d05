import TestSupport
import Testing
import ValetModel

@testable import ValetTerminal

/// An application and its server, whose answers a test may hold back.
struct ServedApp {
    var app: App
    var server: PlainCars
    /// Everything asked for, oldest first.
    var actions: [Asked] = []
    /// Asked for and not answered yet.
    var waiting: [AppAction] = []
    /// Every call with its token, oldest first.
    private(set) var calls: [(token: CallToken, call: ServerCall)] = []
    var isHeldUp = false
    private var milliseconds = 1_000

    /// - Parameter strokes: what is pressed and typed at once.
    init(
        lists: [ListDescription] = [PlainCars.cars], size: Size = .standard,
        options: AppOptions = AppOptions(), rows: Int = 1_000, isConnected: Bool = true,
        after strokes: Stroke...
    ) {
        server = PlainCars(count: rows, lists: lists)
        app = App(options: options, size: size)
        send(.connecting)
        if isConnected { send(.connected) }
        for stroke in strokes { press(stroke) }
    }

    @discardableResult
    mutating func send(_ event: AppEvent) -> [Asked] {
        if case .disconnected(let reason) = event { failAll(reason) }
        let asked = take(app.handle(event))
        if !isHeldUp { deliver() }
        return asked
    }

    /// Before a break is told, all that waits for the server fails but changes, which are sent
    /// again.
    private mutating func failAll(_ reason: String) {
        let error = ValetError(.shuttingDown, reason)
        while let place = waiting.firstIndex(where: \.isQuery),
            case .server(let token, _) = waiting.remove(at: place)
        { _ = take(app.handle(.answer(token, .failure(error)))) }
    }

    private mutating func take(_ asked: [AppAction]) -> [Asked] {
        waiting += asked
        for action in asked { server.sent(action) }
        let asked = asked.map { action -> Asked in
            switch action {
            case .server(let token, let call):
                calls.append((token, call))
                return .call(call)
            case .cancel(let token): return .cancel(calls.first { $0.token == token }?.call)
            case .file(let call): return .file(call)
            case .terminal(let effect): return .terminal(effect)
            case .reconnect: return .reconnect
            case .end(let ending): return .end(ending)
            }
        }
        actions += asked
        return asked
    }

    /// It connects; all but so many answers are held back.
    mutating func connect(answering count: Int) {
        isHeldUp = true
        send(.connected)
        for _ in 0..<count { deliverOne() }
    }

    /// Answers are no longer held back.
    mutating func resume() {
        isHeldUp = false
        deliver()
    }

    /// Answers all that waits, and all that comes of it.
    mutating func deliver() {
        while !waiting.isEmpty { deliverOne() }
    }

    mutating func deliverOne() {
        for event in server.answer(waiting.removeFirst()) { _ = take(app.handle(event)) }
    }

    // MARK: Answers that a test makes up

    /// The newest call of a kind.
    func token(where isMeant: (ServerCall) -> Bool) -> CallToken {
        calls.last { isMeant($0.call) }?.token ?? CallToken(number: 0)
    }

    @discardableResult
    mutating func answer(_ reply: Reply, toNewest isMeant: (ServerCall) -> Bool) -> [Asked] {
        send(.answer(token(where: isMeant), .success(reply)))
    }

    @discardableResult
    mutating func fail(
        _ code: ErrorCode, _ message: String, newest isMeant: (ServerCall) -> Bool
    ) -> [Asked] {
        send(.answer(token(where: isMeant), .failure(ValetError(code, message))))
    }

    /// Asks for something, and answers that.
    @discardableResult
    mutating func answer(_ result: Result<Reply, ValetError>, to call: ServerCall) -> [Asked] {
        let asked = app.calls.begin(call)
        guard case .server(let token, _) = asked else { return [] }
        calls.append((token, call))
        return send(.answer(token, result))
    }

    /// As if the catalog had been read again.
    mutating func load(_ catalog: Catalog, rowCounts: [Int?]? = nil) {
        let counts = rowCounts ?? catalog.lists.map { _ in nil }
        answer(.success(.catalog(catalog, rowCounts: counts)), to: .catalog(countingRows: false))
    }

    /// Keys and texts, with half a second between the keys.
    /// - Parameter texts: what the screen shows then, and `words` what its last line does.
    @discardableResult
    mutating func press(
        _ strokes: Stroke..., shows texts: String..., says words: String = "",
        at location: SourceLocation = #_sourceLocation
    ) -> [Asked] {
        let asked = strokes.flatMap { perform($0) }
        expect(texts, words, at: location)
        return asked
    }

    /// The same, and what is asked waits until it goes on.
    mutating func pressHeldUp(
        _ strokes: Stroke..., shows texts: String..., says words: String = "",
        at location: SourceLocation = #_sourceLocation
    ) {
        isHeldUp = true
        for stroke in strokes { perform(stroke) }
        expect(texts, words, at: location)
    }

    private func expect(_ texts: [String], _ words: String, at location: SourceLocation) {
        for text in texts { #expect(shows(text), "\(text)", sourceLocation: location) }
        #expect(words.isEmpty || status.contains(words), "\(status)", sourceLocation: location)
    }

    @discardableResult
    private mutating func perform(_ stroke: Stroke) -> [Asked] {
        switch stroke {
        case .key(let name): return press(name)
        case .text(let text): return text.flatMap { press(String($0)) }
        case .times(let count, let name): return (0..<count).flatMap { _ in press(name) }
        case .field(let place, let text):
            return perform(.times(place, "tab")) + press("^U") + perform(.text(text))
        case .paste(let text): return send(.paste(text))
        case .wait(let more):
            wait(milliseconds: more)
            return []
        }
    }

    /// A key by its name.
    @discardableResult
    mutating func press(_ name: String) -> [Asked] {
        milliseconds += 500
        send(.tick(milliseconds: milliseconds))
        return Key(name: name).map { send(.key($0)) } ?? []
    }

    /// Somebody else changes something; the window that stands is answered again.
    mutating func others(_ change: Change) {
        _ = server.carryOut(change)
        for event in server.standingAnswer() { send(event) }
    }

    /// The connection breaks, something happens, and there is another one.
    mutating func reconnect(meanwhile change: (inout PlainCars) -> Void = { _ in }) {
        send(.disconnected(reason: "cut"))
        change(&server)
        actions = []
        send(.connecting)
        send(.connected)
    }

    /// The clock goes on, and no key is pressed.
    mutating func wait(milliseconds more: Int) {
        milliseconds += more
        send(.tick(milliseconds: milliseconds))
    }

    /// Opens the dialog about the cursor's row, of which a person types over some fields while
    /// somebody else stores these values.
    mutating func openConflict(_ typed: Stroke..., theirs: [Int: Cell]) throws -> Int64 {
        let rowID = self.rowID
        press("e")
        for stroke in typed { press(stroke) }
        for (column, cell) in theirs { server.cars[rowID]?[column] = cell }
        press("^S")
        _ = try #require(app.conflict)
        actions = []
        return rowID
    }

    // MARK: What is there

    var lines: [String] {
        app.draw().text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var status: String { lines.last ?? "" }

    func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The cursor's row.
    var rowID: Int64 { app.frontList?.cursor.rowID ?? 0 }

    var conditions: [Condition] { app.list?.query.conditions ?? [] }

    /// Every change that was submitted.
    var submitted: [Change] {
        actions.compactMap { action in
            if case .call(.submit(_, _, let change)) = action { change } else { nil }
        }
    }
}

extension ServedApp {
    /// The cars with something changed, and other lists. It is 2026-11-22 11:30 UTC.
    static func cars(
        and others: [ListDescription] = [], _ change: (inout ListDescription) -> Void
    ) -> ServedApp {
        ServedApp(
            lists: [PlainCars.cars.with(change)] + others,
            options: AppOptions(startSeconds: 1_795_347_000))
    }
}

extension StationPresence {
    /// Somebody else who looks at a row, or edits it.
    static func other(
        _ connection: UInt32, _ station: String, _ rowID: Int64? = nil, edits: Bool = false,
        list: String = "cars"
    ) -> StationPresence {
        StationPresence(
            connection: connection, station: station,
            presence: Presence(list: list, rowID: rowID, activity: edits ? .edits : .looks))
    }
}

/// What an application asked for, without the tokens.
enum Asked: Hashable {
    case call(ServerCall)
    case cancel(ServerCall?)
    case file(FileCall)
    case terminal(TerminalEffect)
    case reconnect
    case end(Ending)

    var copied: String? { if case .terminal(.copy(let text)) = self { text } else { nil } }

    static func detail(_ rowID: Int64) -> Asked { .call(.detail(list: "cars", rowID: rowID)) }

    /// What is asked for to copy a row, or to show it.
    var wholeRow: WholeRow? {
        guard case .call(.wholeRow(_, let rowID, let columns, _)) = self else { return nil }
        return WholeRow(rowID: rowID, columns: columns)
    }

    static func quit(_ exitCode: Int32) -> Asked { .end(.quit(exitCode: exitCode)) }

    static func copy(_ text: String) -> Asked { .terminal(.copy(text)) }
}

struct WholeRow: Hashable {
    var rowID: Int64
    var columns: [Int]
}

extension AppAction {
    fileprivate var isQuery: Bool {
        if case .server(_, let call) = self { !call.isSubmit } else { false }
    }
}

extension ServerCall {
    var isOpenView: Bool { if case .openView = self { true } else { false } }

    var isWindow: Bool { if case .window = self { true } else { false } }

    var isDetail: Bool { if case .detail = self { true } else { false } }

    var isSubmit: Bool { if case .submit = self { true } else { false } }

    var isRefresh: Bool { if case .refresh = self { true } else { false } }

    var isAggregates: Bool { if case .aggregates = self { true } else { false } }
}

extension Change {
    static func rename(_ rowID: Int64, to model: String) -> Change {
        set(rowID, 1, .text(model))
    }
}

/// What a person does at the keyboard: mostly a key, by its name.
enum Stroke: ExpressibleByStringLiteral {
    case key(String)
    /// Is typed key by key.
    case text(String)
    case times(Int, String)
    /// Types over a field of a form: so many behind the one that has the caret.
    case field(Int, String)
    case paste(String)
    /// Does nothing for so many milliseconds.
    case wait(Int)

    init(stringLiteral name: String) { self = .key(name) }
}

extension ServedApp {
    /// What a terminal sends when a button is pressed and let go: left 0, right 2.
    @discardableResult
    mutating func click(row: Int, column: Int, button: Int = 0) -> [Asked] {
        let place = "\(column + 1);\(row + 1)"
        return send(bytes: "\u{1B}[<\(button);\(place)M")
            + send(bytes: "\u{1B}[<\(button);\(place)m")
    }

    @discardableResult
    mutating func send(bytes: String) -> [Asked] {
        var decoder = InputDecoder()
        var asked: [Asked] = []
        for event in decoder.decode(bytes.utf8) {
            if case .mouse(let mouse) = event { asked += send(.mouse(mouse)) }
        }
        return asked
    }

    /// Clicks on the first place where a text stands.
    @discardableResult
    mutating func click(
        _ text: String, button: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Asked] {
        guard let place = app.draw().place(of: text) else {
            Issue.record("“\(text)” is not there", sourceLocation: sourceLocation)
            return []
        }
        return click(row: place.row, column: place.column, button: button)
    }
}

extension Screen {
    /// Where a text stands first.
    func place(of text: String, on wanted: Int? = nil) -> Position? {
        for row in 0..<size.rows where wanted == nil || wanted == row {
            let line = self.row(row).map(\.character)
            for column in line.indices where line[column...].starts(with: text) {
                return Position(row: row, column: column)
            }
        }
        return nil
    }
}
