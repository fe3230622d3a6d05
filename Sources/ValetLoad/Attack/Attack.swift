import ValetModel

/// What somebody does who wants a server to fail others.
enum Attack: String, CaseIterable, Sendable {
    case windows
    case views
    case conditions
    case sorts
    case edits
    case pings
    case credits
    case unread
    case hellos
    case slow
    case deaf

    var summary: String {
        switch self {
        case .windows: "fifty times what all people ask for: windows at random places"
        case .views: "views opened and closed at once"
        case .conditions: "searches through all rows, each for something else"
        case .sorts: "all rows sorted, each time by other columns"
        case .edits: "commands without end"
        case .pings: "pings"
        case .credits: "credit of no bytes"
        case .unread: "windows whose answers are never read"
        case .hellos: "connections that say half a hello"
        case .slow: "connections that send a byte a second, of a hello or of a frame after it"
        case .deaf: "a window that stands, for each connection, of which nothing is read"
        }
    }

    /// Of all attackers together. More than a server takes is not sent: TCP holds it back.
    func framesPerSecond(of plan: AttackPlan) -> Int {
        switch self {
        case .windows, .unread: Int(plan.rate) * 50
        case .conditions, .sorts: Int(plan.rate)
        case .edits: Int(plan.rate) * 10
        case .views, .pings, .credits: plan.flood
        // As fast as they are taken.
        case .hellos: 0
        // A byte a second.
        case .slow: 0
        // Two frames each, soon.
        case .deaf: plan.connections * 200
        }
    }
}

/// How many people look on while others attack, and for how long.
struct AttackPlan: Sendable {
    var attacks = Attack.allCases
    var people = 20
    /// Requests per second of all people together.
    var rate = 100.0
    /// Frames per second of floods.
    var flood = 50_000
    /// Commands per second of others who edit, also without an attack.
    var edits = 0
    /// Connections of those who edit.
    static let editors = 8
    /// Connections of the one who attacks.
    var connections = 8
    /// Of each measurement.
    var seconds = 5.0
    /// Measurements without and with each attack, in turn.
    var rounds = 3
    var seed: UInt64 = 1

    static let mostConnections = 5_000
}
