import ValetModel

/// A crowd of people, by what they are there for.
package enum Scenario: String, Sendable, CaseIterable {
    case scroll
    case jump
    case search
    case filter
    case index
    case mixed
    case storm
    case idle
    case slow
    case soak
    case stations

    var summary: String {
        switch self {
        case .scroll: "people who scroll: bursts, pauses, flings, turns"
        case .jump: "windows at random places, as fast as answers come"
        case .search: "words typed letter by letter, with corrections"
        case .filter: "conditions and words added and dropped, with values of rows on the screen"
        case .index: "jumps by the section index, section lists, look-ups"
        case .mixed: "all of these"
        case .storm: "everyone connects at once, again and again"
        case .idle: "silent stations (--clients), and a few that scroll"
        case .slow: "one client in five reads slowly or not at all"
        case .soak: "mixed, for long, with an eye on memory"
        case .stations: "people who change rows, and others with standing windows"
        }
    }

    /// Seconds that a run takes when nobody says otherwise.
    var standardSeconds: Int {
        switch self {
        case .scroll, .jump, .search, .filter, .index, .mixed, .storm, .idle, .slow, .stations: 10
        case .soak: 600
        }
    }

    var standardClients: Int {
        switch self {
        case .idle: 1_000
        case .storm: 200
        case .scroll, .jump, .search, .filter, .index, .mixed, .slow, .soak, .stations: 50
        }
    }

    /// Stations in all: beside the silent ones of `idle` some scroll.
    func stations(clients: Int) -> Int {
        switch self {
        case .idle: clients + Self.scrollers(besides: clients)
        case .scroll, .jump, .search, .filter, .index, .mixed, .storm, .slow, .soak, .stations:
            clients
        }
    }

    /// Those whose requests are counted, and among whom a rate is divided.
    func clientsThatAsk(_ clients: Int) -> Int {
        switch self {
        case .idle: Self.scrollers(besides: clients)
        case .slow: clients - clients / 5
        case .scroll, .jump, .search, .filter, .index, .mixed, .storm, .soak, .stations: clients
        }
    }

    static func scrollers(besides silent: Int) -> Int {
        min(50, max(1, silent / 100))
    }

    /// Who is at a station.
    func role(at station: Int, seed: UInt64, clients: Int, sample: ListSample) -> StationRole {
        let screen = RunPlan.rowsPerWindow
        switch self {
        case .scroll:
            return StationRole(ScrollingPerson(seed: seed, station: station, screen: screen))
        case .jump: return StationRole(JumpingPerson(seed: seed, station: station))
        case .search:
            return StationRole(
                SearchingPerson(seed: seed, station: station, screen: screen, sample: sample))
        case .filter:
            return StationRole(
                FilteringPerson(seed: seed, station: station, screen: screen, sample: sample))
        case .index: return StationRole(IndexPerson(seed: seed, station: station, sample: sample))
        case .mixed, .soak:
            return StationRole(
                MixedPerson(seed: seed, station: station, screen: screen, sample: sample))
        case .stations:
            return station % 2 == 0
                ? StationRole(EditingPerson(seed: seed, station: station))
                : StationRole(WatchingPerson(seed: seed, station: station))
        case .storm: return StationRole(StormyPerson(seed: seed, station: station))
        case .idle:
            return station < Self.scrollers(besides: clients)
                ? StationRole(ScrollingPerson(seed: seed, station: station, screen: screen))
                : StationRole(SilentPerson(), isBystander: true)
        case .slow:
            guard station % 5 == 4 else {
                return StationRole(ScrollingPerson(seed: seed, station: station, screen: screen))
            }
            let stops = station % 10 == 4
            return StationRole(
                NeglectfulPerson(seed: seed, station: station, stops: stops), isBystander: true)
        }
    }
}

/// The person at a station, and whether its requests count.
struct StationRole: Sendable {
    var person: any Person
    /// True for a station that reads slowly or not at all: the server may close its connection, and
    /// its times say nothing about the server.
    var isBystander: Bool

    init(_ person: any Person, isBystander: Bool = false) {
        self.person = person
        self.isBystander = isBystander
    }
}

/// Words, groupings and scopes taken from the list, so that what people type and choose exists.
struct ListSample: Hashable, Sendable {
    /// All of the list's.
    var columns: [ColumnDescription] = []
    var words: [String] = []
    var groupings: [String] = []
    var scopes: [String] = []
}
