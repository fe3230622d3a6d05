import ValetModel

/// The state of the connection to the server, as the title line shows it.
struct Connection: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case connecting
        case connected
        case disconnected(reason: String)
    }

    private(set) var phase = Phase.connecting
    /// Attempts since the connection was lost; 0 while the first one lasts.
    private var attempts = 0
    private(set) var wasConnected = false
    private var roundTripMilliseconds: Int?
    /// An answer takes long.
    var isSlow = false
    /// What is shown was read from files that are others by now.
    var isOutdated = false
    /// Changes without an outcome.
    var waitingChanges = 0
    /// The list that is shown takes no changes.
    var isReadOnly = false
    /// Keys delete without a question.
    var isEditMode = false
    /// What has changed since the list was frozen; nil if it isn't.
    var frozenChanges: Int?
    /// The server does not keep its rows yet.
    var isFreezing = false
    /// The names of other stations in the list.
    var others: [String] = []
    /// What the server is of its cluster.
    var node: ServingNode?
    /// A round trip that a person notices.
    private static let slowMilliseconds = 400

    var isConnected: Bool { phase == .connected }

    mutating func connecting() {
        if wasConnected { attempts += 1 }
        phase = .connecting
    }

    mutating func connected() {
        phase = .connected
        wasConnected = true
        attempts = 0
        roundTripMilliseconds = nil
    }

    mutating func disconnected(reason: String) { phase = .disconnected(reason: reason) }

    mutating func roundTrip(milliseconds: Int) { roundTripMilliseconds = milliseconds }

    struct Label: Hashable {
        var text: String
        var style: Style
    }

    /// Each with its own colour, to be written one behind the other.
    /// - Parameter isShort: without what there is little room for.
    func labels(_ glyphs: Glyphs, isShort: Bool = false) -> [Label] {
        var notes: [String] = []
        if isReadOnly { notes.append(glyphs.readOnly + (isShort ? " " : " read only   ")) }
        if isEditMode { notes.append((isShort ? "edit" : "edit mode") + "   ") }
        if let frozenChanges {
            let count = frozenChanges > 0 ? " +\(frozenChanges.grouped)" : ""
            let word = isShort ? "" : isFreezing ? "freezing" : "frozen"
            notes.append("\(glyphs.frozen) \(word)\(count)   ")
        }
        var (text, style) = phaseLabel(glyphs, isShort: isShort)
        if waitingChanges > 0, !isConnected {
            text += " \(glyphs.dot) \(waitingChanges.grouped) waiting"
        }
        return notes.map { Label(text: $0, style: Style(.yellow)) }
            + [Label(text: text, style: style)]
    }

    private func phaseLabel(_ glyphs: Glyphs, isShort: Bool) -> (text: String, style: Style) {
        switch phase {
        case .connecting where attempts > 0:
            return ("\(glyphs.connecting) reconnecting (\(attempts))", Style(.yellow))
        case .connecting: return ("\(glyphs.connecting) connecting", Style(.yellow))
        case .disconnected: return ("\(glyphs.offline) offline", Style(.red))
        case .connected:
            if isOutdated { return ("\(glyphs.offline) changed on disk", Style(.yellow)) }
            let name = isShort ? nil : node.map { glyphs.shortName($0.name) }
            switch node?.condition {
            case .outOfService:
                return ("\(glyphs.offline) \(name ?? "node") out of service", Style(.red))
            case .behind(let seconds):
                let time = Self.time(seconds: seconds)
                return ("\(glyphs.slow) \(name ?? "node") behind \(time)", Style(.yellow))
            case .current, nil: break
            }
            let place = name.map { " at \($0)" } ?? ""
            if isSlow { return ("\(glyphs.slow) slow\(place)", Style(.yellow)) }
            guard let roundTripMilliseconds else {
                return ("\(glyphs.live) live\(place)", Style(.green))
            }
            return roundTripMilliseconds >= Connection.slowMilliseconds
                ? ("\(glyphs.slow) slow\(place)  \(roundTripMilliseconds) ms", Style(.yellow))
                : ("\(glyphs.live) live\(place)  \(roundTripMilliseconds) ms", Style(.green))
        }
    }

    private static func time(seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        default: "\((seconds / 3_600).grouped) h"
        }
    }
}
