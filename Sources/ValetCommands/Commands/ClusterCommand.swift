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

        @OptionGroup var node: NodeOfCluster
        @OptionGroup var format: FormatOptions

        func run() throws {
            let status = try node.status()
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

        @OptionGroup var node: NodeOfCluster

        func run() throws {
            let leader = try node.operating().stepDown()
            print("“\(leader)” leads no longer: another node does within seconds")
        }
    }

    struct PurgeCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge", abstract: "Forget what the log has and nodes no longer need.",
            discussion: """
                The node that leads does so itself, if it may. Half of what is there stays, \
                and what is not in the files of two nodes yet.
                """)

        @OptionGroup var node: NodeOfCluster

        func run() throws {
            let operating = try node.operating()
            let kept = try operating.purge(operating.survey())
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
                the log that was lost. If it is cut off, `valetd cluster init` does the rest.
                """)

        @OptionGroup var node: NodeOfCluster
        @OptionGroup var new: NewLog

        @Flag(help: "Also if the old log is there: what it alone has is lost then.")
        var force = false

        func run() throws {
            if let reason = try node.status().whyNotToRecover(force: force) {
                throw CommandFailure(.conflict, reason)
            }
            let chain = try new.make(on: node.servers)
            try NodeMark.remove(fromFile: node.file)
            try NodeMark.make(inFile: node.file, chain.stored, at: WallClock.now())
            print(
                "\(node.file) has a new log, and all that it had: copy it to the other machines "
                    + "now, and serve each as before")
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
