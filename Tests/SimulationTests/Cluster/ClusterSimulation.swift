import ValetCluster
import ValetModel

/// Nodes, clients and a log in one simulated time, all from one seed: messages are late or lost,
/// replies lie, processes stand still, end and start, and the log forgets its beginning.
///
/// A file is a list of commands. Whoever is told that a command was carried out must find it in the
/// log's valid entries, once, and in every node's file at that place.
struct ClusterSimulation {
    private static let logID: UInt64 = 7
    private static let nodeCount = 3
    private static let clientCount = 5
    private var numbers: SeededNumbers
    private let fault: PlantedClusterFault?
    private let faultsEnd: Int64
    private var events = SimulatedTime<Event>()
    private var log = SimulatedLog(logID: logID)
    private var nodes: [Node]
    /// The number of the command that each client sends until it is told of it, and since when.
    private var sending: [Int]
    private(set) var told: [Command] = []
    /// Told as not done.
    private var refused: Set<Command> = []
    private(set) var figures = Figures()

    init(seed: UInt64, milliseconds: Int64 = 20_000, fault: PlantedClusterFault? = nil) {
        numbers = SeededNumbers(seed: seed)
        self.fault = fault
        faultsEnd = milliseconds
        nodes = Array(
            repeating: Node(file: File(chain: LogChain(logID: Self.logID))), count: Self.nodeCount)
        sending = Array(repeating: 1, count: Self.clientCount)
    }

    private var now: Int64 { events.now }
    private var hasFaults: Bool { now < faultsEnd }

    private mutating func fails(perThousand chance: Int) -> Bool {
        hasFaults && numbers.happens(perThousand: chance)
    }

    private mutating func later(_ most: Int) -> Int64 { now + 1 + Int64(numbers.below(most)) }

    private mutating func add(_ event: Event, at time: Int64) { events.add(event, at: time) }

    // MARK: Running

    mutating func run() throws(Mistake) {
        for node in nodes.indices { add(.start(node: node), at: 0) }
        for client in sending.indices { add(.sends(client: client), at: later(2_000)) }
        for event in [Event.kill, .pause, .purge] { add(event, at: later(5_000)) }
        while now < faultsEnd + 90_000, let event = events.next() {
            try happen(event)
            if !hasFaults, isAtRest { break }
        }
        try check()
    }

    private var isAtRest: Bool {
        sending.allSatisfy { $0 == 0 }
            && nodes.allSatisfy { $0.mind != nil && $0.file.chain.head == log.chain.head }
    }

    private mutating func happen(_ event: Event) throws(Mistake) {
        if let node = event.node, nodes[node].standsStillUntil > now {
            return add(event, at: nodes[node].standsStillUntil)
        }
        switch event {
        case .start(let node):
            figures.starts += 1
            nodes[node].mind = ClusterNode(
                name: "node \(node)", incarnation: numbers.next(), chain: nodes[node].file.chain,
                seed: numbers.next(), at: now)
            add(.tick(node: node), at: now)
        case .tick(let node):
            guard nodes[node].mind != nil else { return }
            try tell(node) { $0.tick(at: $1) }
            try decide(node)
            add(.tick(node: node), at: now + 50)
        case .heard(let node, let heartbeat): try tell(node) { $0.heard(heartbeat, at: $1) }
        case .arrives(let bytes, let after): store(bytes, after: after)
        case .published(let node, let life, let isRefused):
            guard nodes[node].life == life else { return }
            if isRefused, fault == .believesRefusals { return refuseBatch(node) }
            try tell(node) { mind, _ in mind.published() }
        case .look(let node, let life, let place):
            guard nodes[node].life == life else { return }
            let look = look(at: place)
            try tell(node) { $0.looked(at: place, look, at: $1) }
            try decide(node)
        case .read(let node, let life, let place):
            guard nodes[node].life == life else { return }
            if fails(perThousand: 20) {
                return try tell(node) { $0.read(.failed, from: place, at: $1) }
            }
            let messages = log.read(from: place, most: 20, at: now)
            if fault == .ignoresTheChain { applySkipped(messages ?? [], node) }
            try tell(node) {
                $0.read(messages.map { .messages($0) } ?? .gone, from: place, at: $1)
            }
        case .asked(let node, let command, let from): try ask(node, command, from: from)
        case .done(let node, let command, let place):
            guard nodes[node].mind != nil else { return }
            nodes[node].waiting.append((command, place))
            answerWaiting(node)
        case .told(let command, let isDone): hear(command, isDone: isDone)
        case .sends(let client): send(client)
        case .kill:
            guard hasFaults else { return }
            kill(numbers.below(Self.nodeCount))
            add(.kill, at: later(8_000))
        case .pause:
            guard hasFaults else { return }
            nodes[numbers.below(Self.nodeCount)].standsStillUntil = later(4_000)
            add(.pause, at: later(8_000))
        case .purge:
            guard hasFaults else { return }
            // Below what one node at least has.
            let most = nodes.map(\.file.chain.place).max() ?? 0
            log.purge(below: UInt64(numbers.below(Int(most) + 1)))
            add(.purge, at: later(20_000))
        }
    }

    private mutating func kill(_ node: Int) {
        guard nodes[node].mind != nil else { return }
        nodes[node].mind = nil
        nodes[node].life += 1
        (nodes[node].queue, nodes[node].batch, nodes[node].waiting) = ([], [], [])
        add(.start(node: node), at: later(4_000))
    }

    // MARK: The log

    private mutating func publish(_ bytes: [UInt8], after: UInt64, by node: Int) {
        let life = nodes[node].life
        var arrival = later(5)
        var reply = arrival + 1 + Int64(numbers.below(5))
        if fails(perThousand: 50) {
            // It is late, or lost; whoever published it hears nothing.
            if numbers.below(2) == 0 { add(.arrives(bytes: bytes, after: after), at: later(9_000)) }
            add(.published(node: node, life: life, isRefused: false), at: now + 2_000)
            return
        }
        if fails(perThousand: 50) { (arrival, reply) = (later(3_000), later(3_000)) }
        add(.arrives(bytes: bytes, after: after), at: arrival)
        // A refusal may be of what was stored before.
        let isRefused = fails(perThousand: 30)
        add(.published(node: node, life: life, isRefused: isRefused), at: reply)
    }

    private mutating func store(_ bytes: [UInt8], after: UInt64) {
        // A log that does not look at the place loses nothing, either.
        guard after == log.last || fails(perThousand: 300) else { return }
        for _ in 0..<(fails(perThousand: 20) ? 2 : 1) {
            // Some of those that are asked know of it later.
            log.append(bytes, isSeenFrom: fails(perThousand: 100) ? later(1_500) : now)
        }
    }

    private mutating func look(at place: UInt64) -> ClusterNode.Look {
        fails(perThousand: 30) ? .failed : log.look(at: place, at: now)
    }

    // MARK: Nodes

    private mutating func tell(
        _ node: Int, _ event: (inout ClusterNode, Int64) -> [ClusterNode.Action]
    ) throws(Mistake) {
        guard var mind = nodes[node].mind else { return }
        let wasLeading = mind.isLeading
        let actions = event(&mind, now)
        if mind.isLeading, !wasLeading { figures.elections += 1 }
        nodes[node].mind = mind
        for action in actions { try carryOut(action, node) }
    }

    private mutating func carryOut(
        _ action: ClusterNode.Action, _ node: Int
    ) throws(Mistake) {
        guard nodes[node].mind != nil else { return }
        let life = nodes[node].life
        switch action {
        case .publish(let bytes, let after):
            publish(bytes, after: after, by: node)
            if fault == .answersEarly { answerBatch(node, at: nodes[node].file.chain.place) }
        case .look(let place): add(.look(node: node, life: life, place: place), at: later(5))
        case .read(let place): add(.read(node: node, life: life, place: place), at: later(10))
        case .apply(let bodies, let chain):
            if fails(perThousand: 5) { return kill(node) }
            for body in bodies { nodes[node].file.commands += Self.commands(body) }
            nodes[node].file.chain = chain
            answerWaiting(node)
        case .commit(let chain):
            if fails(perThousand: 20) { return kill(node) }
            nodes[node].file.commands += nodes[node].batch.map(\.command)
            nodes[node].file.chain = chain
            if fails(perThousand: 20) { return kill(node) }
            answerBatch(node, at: chain.place)
            nodes[node].batch = []
        case .rollBack:
            figures.doubts += 1
            if fault == .commitsInDoubt {
                nodes[node].file.commands += nodes[node].batch.map(\.command)
                answerBatch(node, at: nodes[node].file.chain.place)
            }
            nodes[node].batch = []
        case .say(let heartbeat):
            for other in nodes.indices where other != node && !fails(perThousand: 100) {
                add(.heard(node: other, heartbeat), at: later(fails(perThousand: 50) ? 3_000 : 5))
            }
        case .leave: break
        case .takeSnapshot:
            let others = nodes.indices.filter {
                $0 != node && nodes[$0].file.chain.next >= log.floor
            }
            guard !others.isEmpty else { throw Mistake(kind: .unrest, text: "no snapshots") }
            nodes[node].file = nodes[others[numbers.below(others.count)]].file
            figures.snapshots += 1
            kill(node)
        }
    }

    private mutating func applySkipped(_ messages: [[UInt8]], _ node: Int) {
        guard var chain = nodes[node].mind?.chain else { return }
        for bytes in messages where chain.take(bytes) == .skipped {
            if case .message(let message) = LogMessage.read(bytes, logID: Self.logID),
                message.kind == .entry
            {
                nodes[node].file.commands += Self.commands(message.body)
            }
        }
    }

    private mutating func decide(_ node: Int) throws(Mistake) {
        guard nodes[node].mind?.takesBatch == true, !nodes[node].queue.isEmpty else { return }
        let waiting = nodes[node].queue
        nodes[node].queue = []
        var batch: [(command: Command, from: Int)] = []
        for asked in waiting {
            let isKnown =
                nodes[node].file.commands.contains(asked.command)
                || batch.contains { $0.command == asked.command }
            if isKnown, fault != .forgetsCommands {
                let place = nodes[node].file.chain.place
                if nodes[node].file.commands.contains(asked.command) {
                    add(.done(node: asked.from, asked.command, place: place), at: later(5))
                }
            } else {
                batch.append(asked)
            }
        }
        guard !batch.isEmpty else { return }
        nodes[node].batch = batch
        let body = batch.flatMap { [UInt8($0.command.client)] + Self.bytes($0.command.number) }
        try tell(node) { $0.propose(body, at: $1) }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    static func commands(_ body: [UInt8]) -> [Command] {
        stride(from: 0, to: body.count - 2, by: 3).map {
            Command(client: Int(body[$0]), number: Int(body[$0 + 1]) << 8 | Int(body[$0 + 2]))
        }
    }

    private mutating func answerBatch(_ node: Int, at place: UInt64) {
        for asked in nodes[node].batch {
            add(.done(node: asked.from, asked.command, place: place), at: later(5))
        }
    }

    private mutating func refuseBatch(_ node: Int) {
        for asked in nodes[node].batch { add(.told(asked.command, isDone: false), at: later(5)) }
        nodes[node].batch = []
    }

    private mutating func answerWaiting(_ node: Int) {
        let place = nodes[node].file.chain.place
        for waiting in nodes[node].waiting where waiting.place <= place {
            add(.told(waiting.command, isDone: true), at: later(5))
        }
        nodes[node].waiting.removeAll { $0.place <= place }
    }

    private mutating func ask(_ node: Int, _ command: Command, from: Int) throws(Mistake) {
        guard let mind = nodes[node].mind else { return }
        if mind.isLeading {
            nodes[node].queue.append((command, from))
            try decide(node)
        } else if node == from, let leader = mind.leader?.node.split(separator: " ").last,
            let other = Int(leader), !fails(perThousand: 50)
        {
            add(.asked(node: other, command, from: from), at: later(5))
        }
    }

    // MARK: Clients

    /// Sends the command that it has not been told of, to any node, and again after a time.
    private mutating func send(_ client: Int) {
        guard sending[client] > 0 else { return }
        let node = numbers.below(Self.nodeCount)
        let command = Command(client: client, number: sending[client])
        if !fails(perThousand: 50) { add(.asked(node: node, command, from: node), at: later(5)) }
        add(.sends(client: client), at: now + 700 + Int64(numbers.below(1_500)))
    }

    private mutating func hear(_ command: Command, isDone: Bool) {
        guard sending[command.client] == command.number, !fails(perThousand: 30) else { return }
        if isDone { told.append(command) } else { refused.insert(command) }
        sending[command.client] = hasFaults ? command.number + 1 : 0
        if hasFaults, numbers.below(4) > 0 { send(command.client) }
    }

    // MARK: Checking

    /// What the log says, and nothing else.
    private func check() throws(Mistake) {
        var chain = LogChain(logID: Self.logID)
        var commands: [Command] = []
        var counts: [UInt64: Int] = [0: 0]
        for message in log.all {
            if case .entry(let body) = chain.take(message) { commands += Self.commands(body) }
            counts[chain.place] = commands.count
        }
        func fail(_ kind: Mistake.Kind, _ text: String) throws(Mistake) {
            throw Mistake(kind: kind, text: text)
        }
        if Set(commands).count < commands.count { try fail(.doubled, "a command was done twice") }
        let done = Set(commands)
        for command in told where !done.contains(command) { try fail(.lost, "\(command)") }
        for command in refused where done.contains(command) {
            try fail(.falselyRefused, "\(command)")
        }
        for (number, node) in nodes.enumerated() {
            let count = counts[node.file.chain.place] ?? 0
            if node.file.commands != Array(commands.prefix(count)) {
                try fail(.file, "of node \(number)")
            }
        }
        for client in sending.indices {
            let order = commands.filter { $0.client == client }.map(\.number)
            if order != order.sorted() { try fail(.order, "of client \(client)") }
        }
        guard isAtRest else {
            let places = nodes.map(\.file.chain.place)
            throw Mistake(
                kind: .unrest, text: "\(places) of \(log.last), \(sending) are being sent")
        }
    }
}
