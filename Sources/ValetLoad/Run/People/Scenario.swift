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
    var standardSeconds: Int { self == .soak ? 600 : 10 }

    var standardClients: Int { self == .idle ? 1_000 : self == .storm ? 200 : 50 }

    /// Stations in all: beside the silent ones of `idle` some scroll.
    func stations(clients: Int) -> Int {
        clients + (self == .idle ? Self.scrollers(besides: clients) : 0)
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
    func person(at station: Int, seed: UInt64, clients: Int, sample: ListSample) -> any Person {
        let numbers = SeededNumbers(seed: seed, index: station)
        switch self {
        case .scroll: return ScrollingPerson(numbers: numbers)
        case .jump: return JumpingPerson(numbers: numbers)
        case .search: return SearchingPerson(numbers: numbers, sample: sample)
        case .filter: return FilteringPerson(numbers: numbers, sample: sample)
        case .index: return IndexPerson(numbers: numbers, groupings: sample.groupings)
        case .mixed, .soak:
            let switches = SeededNumbers(seed: seed ^ 0x6D69_7865_64, index: station)
            return MixedPerson(numbers: switches, others: numbers, sample: sample)
        case .stations where station % 2 == 0: return EditingPerson(numbers: numbers)
        case .stations: return WatchingPerson(numbers: numbers)
        case .storm: return StormyPerson(numbers: numbers)
        case .idle where station >= Self.scrollers(besides: clients): return SilentPerson()
        case .slow where station % 5 == 4:
            return NeglectfulPerson(numbers: numbers, stops: station % 10 == 4)
        case .idle, .slow: return ScrollingPerson(numbers: numbers)
        }
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
