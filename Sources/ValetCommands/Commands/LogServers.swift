import ArgumentParser
import ValetCluster
import ValetModel
import ValetServer
import ValetStore

#if Cluster
    import ValetJetStream
#endif

/// Where the log of a cluster is.
struct LogServers: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The NATS servers that keep the log: nats://HOST[:PORT], with commas between.",
            valueName: "addresses"))
    var cluster: String?

    @Option(
        help: ArgumentHelp("Credentials for them, as NATS makes them.", valueName: "file"),
        completion: .file())
    var credentials: String?

    /// Of commands that do nothing without them.
    func require() throws {
        guard cluster != nil else {
            throw ValidationError("--cluster says where the NATS servers are.")
        }
    }

    /// What a node's file says of its log.
    static func chain(of file: String) throws -> LogChain {
        try requireFile(file)
        guard let state = try NodeMark.state(inFile: file), let chain = LogChain(stored: state)
        else {
            throw CommandFailure(
                .invalidValue,
                "\(file) is of no cluster: `valetd cluster init` makes it the first node's")
        }
        return chain
    }

    #if Cluster
        func log(logID: UInt64) throws -> JetStreamLog {
            try JetStreamLog(
                logID: logID, servers: (cluster ?? "").split(separator: ",").map(String.init),
                credentials: credentials)
        }
    #else
        private func log(logID: UInt64) throws -> any CommandLog { throw Self.areMissing }

        static let areMissing = CommandFailure(
            .failed,
            "this program was built without clusters: build it with `swift build --traits "
                + "Cluster`, which needs libnats")
    #endif

    /// The node of a file, as `valetd serve` is told of it.
    ///
    /// - Parameter name: another for each node.
    func membership(of file: String, named name: String) throws -> ClusterMembership {
        let log = try log(logID: Self.chain(of: file).logID)
        #if Cluster
            try log.checkVersion()
        #endif
        return ClusterMembership(name: name, log: log)
    }

    func operating(on chain: LogChain) throws -> ClusterOperator {
        ClusterOperator(try log(logID: chain.logID))
    }
}

/// A cluster, by the file of one of its nodes.
struct NodeOfCluster: ParsableArguments {
    @Argument(help: "The SQLite file of a node.")
    var file: String

    @OptionGroup var servers: LogServers

    func validate() throws { try servers.require() }

    func operating() throws -> ClusterOperator {
        try servers.operating(on: LogServers.chain(of: file))
    }

    func status() throws -> ClusterStatus {
        let chain = try LogServers.chain(of: file)
        let survey = try servers.operating(on: chain).survey()
        return ClusterStatus(survey: survey, file: file, place: chain.place)
    }
}

/// How a log is made.
struct NewLog: ParsableArguments {
    @Option(help: "How many of the NATS servers keep the log: 1, 3 or 5.")
    var copies = 3

    @Option(help: ArgumentHelp("Room for the log on each of them.", valueName: "bytes"))
    var room = ByteCount(4 << 30)

    func validate() throws {
        guard [1, 3, 5].contains(copies) else {
            throw ValidationError("--copies takes 1, 3 or 5.")
        }
        guard room.bytes >= 64 << 20 else {
            throw ValidationError("--room takes 64M or more, such as 4G.")
        }
    }

    /// - Returns: what the file of its first node says of it.
    func make(on servers: LogServers) throws -> LogChain {
        let chain = LogChain(logID: .random(in: 1 ... .max))
        #if Cluster
            let log = try servers.log(logID: chain.logID)
            try log.makeStream(copies: copies, mostBytes: Int64(room.bytes))
            try log.checkVersion()
            return chain
        #else
            throw LogServers.areMissing
        #endif
    }
}
