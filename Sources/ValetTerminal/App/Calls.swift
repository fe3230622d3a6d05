/// The calls whose answers are awaited. An answer to any other call is dropped: its list was left,
/// a newer call took its place, or the person went on.
struct Calls: Sendable {
    /// Of what one is under way at a time: a newer call takes the place of the one before.
    enum Slot: Hashable, Sendable {
        case view
        case pin
        case window
        /// The newest window of the list's own view, while a pinned view shows another.
        case windowBehindPin
        case index
        case section
        case aggregates
        case matching
        case sections
        case wholeRow
        case wholeRows
        case history
        case export
    }

    /// The newest generation of any view. Numbers are never reused, so that late answers to a
    /// closed list are recognised.
    var generation: UInt32 = 0
    private var newest: UInt64 = 0
    private var calls: [CallToken: ServerCall] = [:]
    private var tokens: [Slot: CallToken] = [:]

    mutating func begin(_ call: ServerCall) -> AppAction {
        newest += 1
        let token = CallToken(number: newest)
        if let slot = call.slot {
            if slot == .view { leaveView() }
            forget(slot)
            tokens[slot] = token
        }
        calls[token] = call
        return .server(token, call)
    }

    /// The call that an answer is for; nil if nobody waits for it any more.
    func call(_ token: CallToken) -> ServerCall? { calls[token] }

    func call(in slot: Slot) -> ServerCall? { tokens[slot].flatMap { calls[$0] } }

    func isIn(_ slot: Slot, _ token: CallToken) -> Bool { tokens[slot] == token }

    /// The last answer to a call has come.
    mutating func end(_ token: CallToken) {
        guard let call = calls.removeValue(forKey: token) else { return }
        if let slot = call.slot, tokens[slot] == token { tokens[slot] = nil }
    }

    /// No answer is waited for any more.
    mutating func forget(_ slot: Slot) {
        guard let token = tokens.removeValue(forKey: slot) else { return }
        calls[token] = nil
    }

    /// The same, and whoever answers is told.
    mutating func cancel(_ slot: Slot) -> [AppAction] {
        guard let token = tokens[slot] else { return [] }
        forget(slot)
        return [.cancel(token)]
    }

    /// Asks for the end of a call, whose last answer says so.
    func stop(_ slot: Slot) -> [AppAction] { tokens[slot].map { [.cancel($0)] } ?? [] }

    /// Stops a refresh, whose last answer says so.
    func cancelRefresh(of list: String) -> [AppAction] {
        calls.filter { $0.value == .refresh(list: list) }.keys.map { .cancel($0) }
    }

    /// From now on the pinned view is shown.
    mutating func isPinned() {
        forget(.windowBehindPin)
        tokens[.windowBehindPin] = tokens.removeValue(forKey: .window)
    }

    /// The list's own view is shown again.
    mutating func unpin() -> [AppAction] {
        forget(.windowBehindPin)
        return cancel(.pin)
    }

    /// All that is asked of a view ends with it.
    mutating func leaveView() {
        for slot in [Slot.pin, .window, .windowBehindPin, .index, .section, .aggregates] {
            forget(slot)
        }
    }
}
