import ArgumentParser
import Foundation
import ValetCluster
import ValetModel
import ValetServer
import ValetStore

#if Cluster
    import ValetJetStream
#endif

/// `valetd cluster`: one list on several machines.
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Serve one list from several machines.",
        discussion: """
            Each node has its own file, and NATS JetStream keeps the log of changes that all of \
            them follow. `init` makes a file the first node's; copies of it are those of the \
            others. Then each serves its own with `valetd serve FILE --cluster ADDRESSES --name \
            NAME`, and stations may connect to any.
            """,
        subcommands: [InitCommand.self, LeaveCommand.self])

    struct InitCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make a file the first node's of a new cluster.",
            discussion: "Copy the file to the other machines then, before it is served.")

        @Argument(help: "The SQLite file.")
        var file: String

        @OptionGroup var servers: LogServers

        @Option(help: "How many of the NATS servers keep the log: 1, 3 or 5.")
        var copies = 3

        @Option(help: ArgumentHelp("Room for the log on each of them.", valueName: "bytes"))
        var room = ByteCount(4 << 30)

        func validate() throws {
            guard servers.cluster != nil else {
                throw ValidationError("--cluster says where the NATS servers are.")
            }
            guard [1, 3, 5].contains(copies) else {
                throw ValidationError("--copies takes 1, 3 or 5.")
            }
            guard room.bytes >= 64 << 20 else {
                throw ValidationError("--room takes 64M or more, such as 4G.")
            }
        }

        func run() throws {
            try requireFile(file)
            let chain = LogChain(logID: .random(in: 1 ... .max))
            #if Cluster
                if try NodeMark.state(inFile: file) != nil {
                    throw CommandFailure(
                        .invalidValue,
                        "\(file) is of a cluster already: `valetd cluster leave` takes it out")
                }
                let log = try servers.log(logID: chain.logID)
                try log.makeStream(copies: copies, mostBytes: Int64(room.bytes))
                try NodeMark.make(inFile: file, chain.stored, at: WallClock.now())
                print(
                    "\(file) is the first node's now: copy it to the others, and serve each with "
                        + "--cluster and --name")
            #else
                throw LogServers.areMissing(for: chain)
            #endif
        }
    }

    struct LeaveCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave", abstract: "Take a node's file out of its cluster.")

        @Argument(help: "The SQLite file.")
        var file: String

        func run() throws {
            try requireFile(file)
            try NodeMark.remove(fromFile: file)
            print("\(file) is of no cluster any more")
        }
    }
}

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

    #if Cluster
        func log(logID: UInt64) throws -> JetStreamLog {
            try JetStreamLog(
                logID: logID, servers: (cluster ?? "").split(separator: ",").map(String.init),
                credentials: credentials)
        }
    #else
        static func areMissing(for chain: LogChain) -> CommandFailure {
            CommandFailure(
                .failed,
                "this program was built without clusters: build it with `swift build --traits "
                    + "Cluster`, which needs libnats")
        }
    #endif

    /// The node of a file, as `valetd serve` is told of it.
    ///
    /// - Parameter name: another for each node.
    func membership(of file: String, named name: String) throws -> ClusterMembership {
        guard let state = try NodeMark.state(inFile: file), let chain = LogChain(stored: state)
        else {
            throw CommandFailure(
                .invalidValue,
                "\(file) is of no cluster: `valetd cluster init` makes it the first node's")
        }
        #if Cluster
            return ClusterMembership(name: name, log: try log(logID: chain.logID))
        #else
            throw Self.areMissing(for: chain)
        #endif
    }
}
