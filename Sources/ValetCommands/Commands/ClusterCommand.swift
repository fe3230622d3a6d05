import ArgumentParser
import ValetCluster
import ValetModel
import ValetServer
import ValetStore

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
        subcommands: [
            InitCommand.self, StatusCommand.self, StepDownCommand.self, PurgeCommand.self,
            RecoverCommand.self, LeaveCommand.self,
        ])

    struct InitCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make a file the first node's of a new cluster.",
            discussion: "Copy the file to the other machines then, before it is served.")

        @Argument(help: "The SQLite file.")
        var file: String

        @OptionGroup var servers: LogServers

        @OptionGroup var new: NewLog

        func validate() throws { try servers.require() }

        func run() throws {
            try requireFile(file)
            if try NodeMark.state(inFile: file) != nil {
                throw CommandFailure(
                    .invalidValue,
                    "\(file) is of a cluster already: `valetd cluster leave` takes it out")
            }
            let chain = try new.make(on: servers)
            try NodeMark.make(inFile: file, chain.stored, at: WallClock.now())
            print(
                "\(file) is the first node's now: copy it to the others, and serve each with "
                    + "--cluster and --name")
        }
    }

    struct StatusCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show the log and the nodes of a file's cluster.",
            discussion: """
                It listens for two seconds to what the nodes say of themselves. The exit status \
                is 1 if none leads, or if the log lacks what the file has.
                """)

        @Argument(help: "The SQLite file of a node, which may be served.")
        var file: String

        @OptionGroup var servers: LogServers
        @OptionGroup var format: FormatOptions

        func validate() throws { try servers.require() }

        func run() throws {
            let chain = try LogServers.chain(of: file)
            let status = ClusterStatus(
                try servers.operating(on: chain).survey(), file: file, place: chain.place)
            let writer = RecordWriter(format.chosen)
            for record in status.records { try writer.write(record) }
            try writer.finish()
            if let trouble = status.trouble { throw CommandFailure(.failed, trouble) }
        }
    }

    struct StepDownCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "step-down", abstract: "Let another node lead.",
            discussion: """
                Before the machine of the node that leads is worked on: another one leads within \
                seconds, and no change waits for longer than that.
                """)

        @Argument(help: "The SQLite file of a node, which may be served.")
        var file: String

        @OptionGroup var servers: LogServers

        func validate() throws { try servers.require() }

        func run() throws {
            let leader = try servers.operating(on: LogServers.chain(of: file)).stepDown()
            print("“\(leader)” leads no longer: another node does within seconds")
        }
    }

    struct PurgeCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge", abstract: "Forget what the log has and nodes no longer need.",
            discussion: """
                The node that leads does so itself, if it may. Half of the log's room stays, and \
                what two nodes at least don't have in their files yet.
                """)

        @Argument(help: "The SQLite file of a node, which may be served.")
        var file: String

        @OptionGroup var servers: LogServers

        func validate() throws { try servers.require() }

        func run() throws {
            let kept = try servers.operating(on: LogServers.chain(of: file)).purge()
            print(
                kept.map { "the log is kept from place \($0) on" }
                    ?? "nothing was purged: less than half of the log's room is taken, or no two "
                    + "nodes have what could go")
        }
    }

    struct RecoverCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recover", abstract: "Begin a new log when the servers have lost the old.",
            discussion: """
                For the file of the node that has most (`valetd cluster status` says its place), \
                while no node is served. Copy the file to the other machines then: theirs are of \
                the log that was lost.
                """)

        @Argument(help: "The SQLite file.")
        var file: String

        @OptionGroup var servers: LogServers
        @OptionGroup var new: NewLog

        @Flag(help: "Also if the old log is there: what it alone has is lost then.")
        var force = false

        func validate() throws { try servers.require() }

        func run() throws {
            let old = try LogServers.chain(of: file)
            let survey = try servers.operating(on: old).survey()
            if let node = survey.nodes.first(where: { $0.role != .outOfService }) {
                throw CommandFailure(
                    .conflict, "“\(node.name)” is in service: stop the nodes first")
            }
            if let reason = survey.log.whyNotToRecover(old), !force {
                throw CommandFailure(
                    .conflict, "\(reason); --force begins a new one all the same")
            }
            let chain = try new.make(on: servers)
            try NodeMark.remove(fromFile: file)
            try NodeMark.make(inFile: file, chain.stored, at: WallClock.now())
            print(
                "\(file) has a new log, and all that it had: copy it to the other machines now, "
                    + "and serve each as before")
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

extension LogLook {
    /// nil if the file has what the log has lost.
    fileprivate func whyNotToRecover(_ old: LogChain) -> String? {
        switch self {
        case .missing: nil
        case .ends(let ends) where ends.last < old.place: nil
        case .ends: "the old log has all that this file has"
        case .failed: "the servers don't say how the old log is"
        }
    }
}
