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
        options: AppOptions = AppOptions(), rows: Int = 1_000
    ) {
        server = PlainCars(count: rows, lists: lists)
        app = App(options: options, size: size)
        send(.connecting)
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
        while !waiting.isEmpty {
            for event in server.answer(waiting.removeFirst()) {
                let asked = app.handle(event)
                actions += asked
                waiting += asked
            }
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

    var lines: [String] {
        app.draw().text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
