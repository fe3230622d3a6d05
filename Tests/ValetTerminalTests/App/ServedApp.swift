import ValetClient
import ValetModel

@testable import ValetTerminal

/// An application and its server, whose answers a test may hold back.
struct ServedApp {
    var app: App
    var server: PlainCars
    /// Everything asked for, oldest first.
    var actions: [AppAction] = []
    /// Asked for and not answered yet.
    var waiting: [AppAction] = []
    var isHeldUp = false
    private var milliseconds = 1_000

    init(
        lists: [ListDescription] = [PlainCars.cars], size: Size = .standard,
        options: AppOptions = AppOptions(), rows: Int = 1_000, isConnected: Bool = true
    ) {
        server = PlainCars(count: rows, lists: lists)
        app = App(options: options, size: size)
        send(.connecting)
        guard isConnected else { return }
        send(.connected)
        send(server.catalog(countingRows: false))
    }

    @discardableResult
    mutating func send(_ event: AppEvent) -> [AppAction] {
        let asked = app.handle(event)
        actions += asked
        waiting += asked
        if !isHeldUp { deliver() }
        return asked
    }

    /// Answers all that waits, and all that comes of it.
    mutating func deliver() {
        while !waiting.isEmpty { deliverOne() }
    }

    mutating func deliverOne() {
        for event in server.answer(waiting.removeFirst()) {
            let asked = app.handle(event)
            actions += asked
            waiting += asked
        }
    }

    /// Keys by their names, with half a second between them.
    @discardableResult
    mutating func press(_ names: String...) -> [AppAction] {
        var asked: [AppAction] = []
        for name in names {
            milliseconds += 500
            send(.tick(milliseconds: milliseconds))
            if let key = Key(name: name) { asked += send(.key(key)) }
        }
        return asked
    }

    mutating func type(_ text: String) {
        for character in text { press(String(character)) }
    }

    /// Somebody else changes something; the window that stands is answered again.
    mutating func others(_ change: Change) {
        _ = server.carryOut(change)
        for event in server.standingAnswer() { send(event) }
    }

    /// The clock goes on, and no key is pressed.
    mutating func wait(milliseconds more: Int) {
        milliseconds += more
        send(.tick(milliseconds: milliseconds))
    }

    /// Goes from the first field of a form to another and types over what stands there.
    mutating func fill(_ field: Int, with text: String) {
        for _ in 0..<field { press("tab") }
        press("^U")
        type(text)
    }

    // MARK: What is there

    var lines: [String] {
        app.draw().text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var status: String { lines.last ?? "" }

    func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The cursor's row.
    var rowID: Int64 { app.list?.cursor.rowID ?? 0 }

    /// Every change that was submitted.
    var submitted: [Change] {
        actions.compactMap { action in
            if case .submit(_, _, let change) = action { change } else { nil }
        }
    }
}

extension Change {
    static func rename(_ rowID: Int64, to model: String) -> Change {
        set(rowID, 1, .text(model))
    }

    /// An edit of one cell, whatever stood there.
    static func set(_ rowID: Int64, _ column: Int, _ value: Cell) -> Change {
        .update([
            RowEdit(rowID: rowID, cells: [CellEdit(column: column, value: value, seen: .anything)])
        ])
    }

    static func delete(_ rowIDs: Int64...) -> Change {
        .delete(rowIDs.map { RowDeletion(rowID: $0, seen: nil) })
    }
}
