import ValetCluster

/// Mistakes that whoever carries out a node's actions could make.
enum PlantedClusterFault: CaseIterable {
    /// A batch whose place is not known in time is committed.
    case commitsInDoubt
    /// Clients are told before the log has the batch.
    case answersEarly
    /// A command that is sent again is carried out again.
    case forgetsCommands
    /// What the log refuses is told as not done, without a look.
    case believesRefusals
    /// What does not count is applied.
    case ignoresTheChain
}

extension ClusterSimulation {
    struct Command: Hashable {
        var client: Int
        var number: Int
    }

    struct Mistake: Error {
        enum Kind: Equatable {
            case doubled, lost
            /// Done, and told as not done.
            case falselyRefused
            /// A file that is not what the log says.
            case file
            /// Commands of a client changed places.
            case order
            /// What was asked is not answered, or a node does not follow.
            case unrest
        }

        let kind: Kind
        let text: String
    }

    struct Figures: Equatable {
        var elections = 0
        var starts = 0
        var snapshots = 0
        /// Batches of which a leader did not find out what became of them.
        var doubts = 0

        mutating func add(_ other: Figures) {
            elections += other.elections
            starts += other.starts
            snapshots += other.snapshots
            doubts += other.doubts
        }
    }

    /// What a disk has.
    struct File {
        var chain: LogChain
        var commands: [Command] = []
    }

    struct Node {
        var file: File
        var mind: ClusterNode?
        /// Another after each start: what was asked before is answered to nobody.
        var life = 0
        var standsStillUntil: Int64 = 0
        /// Commands that wait for the leader, with where they came from.
        var queue: [(command: Command, from: Int)] = []
        var batch: [(command: Command, from: Int)] = []
        /// Told when its own file is so far.
        var waiting: [(command: Command, place: UInt64)] = []
    }

    enum Event {
        case tick(node: Int)
        case start(node: Int)
        case heard(node: Int, ClusterNode.Heartbeat)
        case arrives(bytes: [UInt8], after: UInt64)
        case published(node: Int, life: Int, isRefused: Bool)
        case look(node: Int, life: Int, place: UInt64)
        case read(node: Int, life: Int, place: UInt64)
        case asked(node: Int, Command, from: Int)
        case done(node: Int, Command, place: UInt64)
        case told(Command, isDone: Bool)
        case sends(client: Int)
        case kill
        case pause
        case purge
    }
}

extension ClusterSimulation.Event {
    /// Whose process must run.
    var node: Int? {
        switch self {
        case .tick(let node), .heard(let node, _), .published(let node, _, _),
            .look(let node, _, _), .read(let node, _, _), .asked(let node, _, _),
            .done(let node, _, _):
            node
        case .start, .arrives, .told, .sends, .kill, .pause, .purge: nil
        }
    }
}
