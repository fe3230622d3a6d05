import ValetClient
import ValetModel

/// A station's standing window: keeps its newest rows, checks them, and measures how late changes
/// arrive.
final class StandingWindow: Sendable {
    private struct State {
        var window: Window?
        var verifier: WindowVerifier
    }

    let query: Query
    let view: ValetView
    private let number: Int
    private let columns: EditedColumns?
    private let context: RunContext
    private let state: Mutex<State>

    init(_ view: ValetView, _ query: Query, of station: Int, _ context: RunContext) {
        self.view = view
        self.query = query
        self.context = context
        number = station
        columns = EditedColumns(of: context.list, view.summary)
        let viewpoint = Viewpoint(list: context.list, query: query, summary: view.summary)
        state = Mutex(State(verifier: WindowVerifier(viewpoint)))
    }

    var window: Window? { state.withLock { $0.window } }

    func follow(at place: Int) {
        let asked = WindowVerifier.Asked(.ordinal(place))
        state.withLock { $0.window = nil }
        view.followWindow(at: asked.anchor, rows: asked.rows, wantsParts: false) { [weak self] in
            if case .success(let window) = $0 { self?.show(window, asked) }
        }
    }

    private func show(_ window: Window, _ asked: WindowVerifier.Asked) {
        let now = context.microseconds
        let (before, found) = state.withLock { state in
            let before = state.window
            state.window = window
            return (before, state.verifier.check(window, asked: asked))
        }
        context.figures.addChecked(found, at: number)
        guard let before, let columns else { return }
        var stamps: [Int64: Int] = [:]
        for case let row? in before.rows { stamps[row.id] = columns.stamp(of: row) ?? 0 }
        for case let row? in window.rows {
            // An undo brings an older stamp back.
            guard let old = stamps[row.id], let new = columns.stamp(of: row), new > old else {
                continue
            }
            context.figures.addShown(.microseconds(now - new))
        }
    }
}
