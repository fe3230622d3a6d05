import ValetModel

/// What a run does, and for how long.
package struct RunPlan: Hashable, Sendable {
    package var scenario: Scenario
    package var clients: Int
    /// Requests per second of all clients together; nil when each asks as soon as it is answered.
    package var rate: Double?
    package var seconds: Double
    /// Seconds before what counts begins.
    package var warmUp: Double
    package var seed: UInt64
    /// Which list; nil when there is one only.
    package var list: String?
    /// Whether others than the run's stations change rows.
    var othersEdit = false
    /// Rows per second that are compared with the database file.
    var truthRowsPerSecond = 50
    /// Time limit for counting searches in the database file after the run.
    var countingTime = Duration.seconds(10)
    /// How long after the end answers may come before their connections are closed.
    var answerTimeout = Duration.seconds(10)

    static let rowsPerWindow = 50
    static let searchesCounted = 20
    static let commandsSentAgain = 200
    static let timeToCatchUp = Duration.seconds(5)
    package static let mostClients = Limits.connections
    /// More would be more than a day.
    package static let mostSeconds = 86_400.0
    /// Connections that are made at the same time, but in a storm.
    static let connectsAtOnce = 64
    /// Connects per second of a storm that goes on: a closed one keeps its port for a minute.
    static let connectsPerSecond = 400
    static let groupingsVisited = 6
    static let mostWords = 400

    package init(
        scenario: Scenario, clients: Int? = nil, rate: Double? = nil, seconds: Double? = nil,
        warmUp: Double? = nil, seed: UInt64 = 1, list: String? = nil
    ) {
        self.scenario = scenario
        self.clients = clients ?? scenario.standardClients
        self.rate = rate
        self.seconds = seconds ?? Double(scenario.standardSeconds)
        self.warmUp = warmUp ?? 1
        self.seed = seed
        self.list = list
    }

    /// Time between two moments at which everyone connects.
    var wave: Duration {
        .seconds(max(1, clients / Self.connectsPerSecond))
    }
}
