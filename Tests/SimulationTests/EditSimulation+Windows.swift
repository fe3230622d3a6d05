import ValetModel

@testable import ValetClient

/// Windows that stand, and others that are asked for once.
extension EditSimulation {
    /// Waits until every window that stands shows the newest rows.
    func rest() async throws {
        try await wait(for: Mistake(kind: .stale, text: "a window stays behind \(model.revision)"))
        { _ in
            watches.allSatisfy { watch in
                guard let window = watch.newest else { return false }
                return watch.wish.mistake(in: window, of: rows(of: watch.wish.query)) == nil
            }
        }
        guard proxied.rows() == model.rows else {
            throw Mistake(kind: .file, text: "other rows than at revision \(model.revision)")
        }
        figures.rests += 1
        // Windows of the time before may still be on their way.
        states = states.filter { $0.key >= lastRest }
        expectedRows = [:]
        lastRest = model.revision
    }

    /// Whoever asks now sees all that anybody was told.
    func look() async throws {
        guard let connection = connections[numbers.below(Self.stations)] else { return }
        let wish = Wish(&numbers, model)
        let window: Window
        do throws(ValetError) {
            let view = try await connection.openView(list: "cars", wish.query)
            window = try await view.window(
                at: wish.anchor, rowsBefore: wish.rowsBefore, rows: wish.rows)
        } catch {
            return try checkCut(error)
        }
        let mistake = wish.mistake(in: window, of: rows(of: wish.query))
        guard window.revision == model.revision, mistake == nil else {
            throw Mistake(
                kind: .stale,
                text: "\(wish) at \(window.revision), told \(model.revision): \(mistake ?? "")")
        }
        figures.windows += 1
    }

    private func rows(of query: Query, at revision: UInt64? = nil) -> [Row] {
        let revision = revision ?? model.revision
        if let known = expectedRows[revision]?[query] { return known }
        let rows = Wish.rows(of: states[revision] ?? [:], query)
        expectedRows[revision, default: [:]][query] = rows
        return rows
    }

    func ask(_ index: Int) {
        guard let connection = connections[watches[index].station] else { return }
        let wish = watches[index].wish
        let view: ValetView
        if let known = watches[index].view {
            view = known
            if numbers.below(2) == 0 || asked[watches[index].ask]?.wish.query != wish.query {
                view.requestRearrange(wish.query) { _ in }
            }
        } else {
            view = connection.startView(list: "cars", wish.query) { _ in }
        }
        let ask = asked.count + 1
        asked[ask] = (index, wish)
        (watches[index].view, watches[index].ask, watches[index].newest) = (view, ask, nil)
        view.followWindow(
            at: wish.anchor, rowsBefore: wish.rowsBefore, rows: wish.rows, wantsParts: false
        ) { [event] in event.yield(.shown(ask: ask, $0)) }
    }

    func shown(_ window: Window, _ ask: Int) throws {
        guard let (index, wish) = asked[ask] else { return }
        if watches[index].ask == ask {
            if let before = watches[index].newest, before.revision > window.revision {
                throw Mistake(
                    kind: .stale, text: "\(window.revision) shown after \(before.revision)")
            }
            watches[index].newest = window
        }
        guard states[window.revision] != nil else { return }
        figures.windows += 1
        let rows = rows(of: wish.query, at: window.revision)
        if let mistake = wish.mistake(in: window, of: rows) {
            throw Mistake(kind: .window, text: "\(wish) at \(window.revision): \(mistake)")
        }
    }
}
