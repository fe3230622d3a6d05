import ArgumentParser
import Foundation
import Logging
import NIOPosix
import UnixSignals
import ValetClient
import ValetCluster
import ValetModel
import ValetSecurity
import ValetServer
import ValetStore

/// `valetd`: the server.
package struct ValetdCommand: Program {
    package static let configuration = CommandConfiguration(
        commandName: "valetd", abstract: "Serves the tables of a SQLite file as lists.",
        version: ProgramVersion.text,
        subcommands: [
            ServeCommand.self, TriggersCommand.self, LogCommand.self, CertificateCommand.self,
            TokenCommand.self, RestoreCommand.self, ClusterCommand.self,
            CompletionsCommand<ValetdCommand>.self,
            ManualCommand<ValetdCommand>.self,
        ])

    package static let section = 8
    package static let manual: [ManualPage.Section] = []

    package init() {}
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a SQLite file until SIGTERM or Ctrl-C.",
        discussion: """
            Nothing is written to the file before a client changes a row, unless it has triggers \
            (see `valetd triggers`). The first change turns on SQLite's write-ahead log, for good, \
            and adds tables to the file whose names begin with _valet_ (see `valetd log`). Logs go \
            to standard error; the address goes to standard output once clients can connect.
            """)

    @Argument(help: "The SQLite file.")
    var file: String

    @Option(help: "A YAML catalog: how lists are shown, grouped and searched.")
    var catalog: String?

    @Option(help: "Where to listen; port 0 lets the system choose.")
    var listen = "127.0.0.1:\(ValetConnection.standardPort)"

    @Option(
        help: "The server's certificate in PEM form, for TLS; read again at SIGHUP.",
        completion: .file())
    var certificate: String?

    @Option(help: "The certificate's key in PEM form.", completion: .file())
    var key: String?

    @Option(
        help: "Who may connect: a file that `valetd token` makes. Everyone may without it.",
        completion: .file())
    var tokens: String?

    @Option(
        help: "What those may do: a file in YAML (see `valet help operations`).",
        completion: .file())
    var access: String?

    @Flag(help: "Allow addresses that other machines reach without encryption.")
    var insecure = false

    @Flag(help: "Refuse all changes.")
    var readOnly = false

    @Option(
        help: ArgumentHelp(
            "Memory for lists, such as 512M or 2G; the least recently used are evicted "
                + "(default: a quarter of the machine's).", valueName: "bytes"))
    var memory: ByteCount?

    @Option(
        help: "A folder for backups, one each --every, of which the newest --keep stay.",
        completion: .directory)
    var backups: String?

    @Option(help: "The time between two backups, such as 30m, 1h or 1d (default: 1h).")
    var every: Interval?

    @Option(help: "How many backups stay (default: 24).")
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "Where to say over HTTP how the server is: /metrics for Prometheus, /live and /ready. "
                + "Whoever reaches the address may ask.", valueName: "host:port"))
    var metrics: String?

    @OptionGroup(title: "Nodes of a cluster") var servers: LogServers

    @Option(help: "The name of this node, another for each; see `valetd cluster`.")
    var name: String?

    @Option(help: "How much to log: debug, info, warning or error.")
    var log: LogLevel = .info

    @Option(help: "How to log: text or json, a line for each event.")
    var logFormat: LogFormat = .text

    func validate() throws {
        let address = try ListenAddress(listen)
        if let metrics { _ = try ListenAddress(metrics, option: "--metrics") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key go together.")
        }
        if !address.isLocal, certificate == nil, !insecure {
            throw ValidationError(
                "\(listen) is reached by other machines: give --certificate and --key to encrypt "
                    + "(`valetd certificate` makes them), listen on 127.0.0.1, or add --insecure.")
        }
        if access != nil, tokens == nil {
            throw ValidationError("--access needs --tokens: who connects is not known without it.")
        }
        if tokens != nil, certificate == nil, !address.isLocal {
            throw ValidationError(
                "--tokens needs --certificate and --key here: others could read the tokens.")
        }
        guard (servers.cluster == nil) == (name == nil) else {
            throw ValidationError("--cluster and --name go together.")
        }
        if let name, !Leadership.isName(name) {
            throw ValidationError("--name takes 1 to \(Leadership.mostNameBytes) bytes.")
        }
        if readOnly, name != nil {
            throw ValidationError("--read-only is not for nodes: a node follows the log.")
        }
        if backups == nil, every != nil || keep != nil {
            throw ValidationError("--every and --keep need --backups FOLDER.")
        }
        if let keep, !(1...Limits.backupsKept ~= keep) {
            throw ValidationError("--keep takes 1 to \(Limits.backupsKept).")
        }
        if let memory, memory.bytes < Limits.leastBytesOfLists {
            throw ValidationError(
                "--memory takes \(Limits.leastBytesOfLists >> 20)M or more, such as 512M or 2G.")
        }
    }

    func run() async throws {
        let address = try ListenAddress(listen)
        var logger = Logger(label: "valetd") { [logFormat] _ in LineLogHandler(logFormat) }
        logger.logLevel = log.level
        try requireFile(file)
        if let catalog { try requireFile(catalog) }
        var options = ServerOptions(
            path: file, catalogPath: catalog, epoch: UInt64.random(in: 1...UInt64.max))
        (options.principalsPath, options.accessPath) = (tokens, access)
        options.backups = backups.map {
            BackupPlan(folder: $0, interval: (every ?? .standard).duration, kept: keep ?? 24)
        }
        if readOnly { options.readOnlyReason = "this server takes no changes" }
        if let name { options.membership = try servers.membership(of: file, named: name) }
        if let memory { options.memory = memory.bytes }
        options.connectionLimit = Descriptors.clients(atMost: Limits.connections)
        if options.connectionLimit < Limits.connections {
            logger.info(
                "few clients can connect: allow more open files (ulimit -n)",
                metadata: ["clients": "\(options.connectionLimit)"])
        }
        var tls: ServerCertificate?
        if let certificate, let key {
            tls = try ServerCertificate(path: certificate, keyPath: key)
        }
        FreedMemory.giveBack()
        let server = try await ValetServer(
            options, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let service = ServerService(
            server: server, address: address, certificate: tls,
            metrics: try metrics.map { try ListenAddress($0, option: "--metrics") },
            logger: logger)
        try await service.run(until: UnixSignalsSequence(trapping: .sigterm, .sigint))
    }
}

/// Where a server listens: `HOST:PORT`, with brackets round an IPv6 address.
struct ListenAddress: Sendable {
    let host: String
    let port: Int

    /// - Parameter option: that it is given by.
    init(_ text: String, option: String = "--listen") throws {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]),
            let host = Self.host(text[..<colon])
        else {
            throw ValidationError("\(option) takes HOST:PORT, such as 127.0.0.1:7425.")
        }
        self.host = host
        self.port = Int(port)
    }

    /// The host without brackets; only a host in brackets may contain colons.
    private static func host(_ text: Substring) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let host = isBracketed ? text.dropFirst().dropLast() : text
        guard !host.isEmpty, host.utf8.contains(UInt8(ascii: ":")) == isBracketed else {
            return nil
        }
        return String(host)
    }

    var isLocal: Bool { HostAddress.isOfThisMachine(host) }
}

/// A number of bytes as a person writes it: `512M`, `2G`, or plain bytes.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = argument.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int(unit == nil ? argument : String(argument.dropLast())),
            number >= 0
        else { return nil }
        let product = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !product.overflow else { return nil }
        bytes = product.partialValue
    }
}

/// A time as a person writes it: `90s`, `30m`, `1h` or `1d`.
struct Interval: ExpressibleByArgument {
    static let standard = Interval(duration: .seconds(3_600))

    let duration: Duration

    init(duration: Duration) { self.duration = duration }

    init?(argument: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }),
            let number = Int(argument.dropLast()), 1...1_000_000 ~= number
        else { return nil }
        duration = .seconds(number * unit)
    }
}

enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case debug, info, warning, error

    var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

private struct ServerService {
    let server: ValetServer
    let address: ListenAddress
    let certificate: ServerCertificate?
    let metrics: ListenAddress?
    let logger: Logger

    func run(until stops: UnixSignalsSequence) async throws {
        if let metrics {
            let socket = try await server.watch(host: metrics.host, port: metrics.port)
            logger.info(
                "saying how the server is",
                metadata: ["address": "http://\(metrics.host):\(socket.port ?? metrics.port)"])
        }
        // From here on a hang-up no longer ends the process.
        let isReloaded = certificate != nil || ServiceManager.isThere
        let hangUps = isReloaded ? await UnixSignalsSequence(trapping: .sighup) : nil
        let socket = try await server.listen(
            host: address.host, port: address.port, certificate: certificate)
        let bound = ServerAddress(
            host: address.host, port: socket.port ?? address.port,
            isEncrypted: certificate != nil)
        // Who starts a server may have no use for its address.
        StandardStreams.say("\(bound)\n", on: STDOUT_FILENO)
        logger.info("listening", metadata: ["address": "\(bound)"])
        ServiceManager.tell("READY=1\nSTATUS=\(bound)")
        let giving = Task { await FreedMemory.keepGivingBack() }
        let reloading = Task { await keepReloading(at: hangUps) }
        defer {
            giving.cancel()
            reloading.cancel()
        }
        for await _ in stops { break }
        logger.info("stopping")
        ServiceManager.tell("STOPPING=1")
        await server.stop()
        logger.info("stopped")
    }

    /// Reads the certificate again at each hang-up.
    private func keepReloading(at hangUps: UnixSignalsSequence?) async {
        guard let hangUps else { return }
        if let certificate { tell(of: certificate) }
        for await _ in hangUps {
            guard let certificate else {
                logger.info("nothing is read again: there is no certificate")
                continue
            }
            do throws(ValetError) {
                try certificate.reload()
                tell(of: certificate)
            } catch {
                logger.error(
                    "the certificate stays the one of before", metadata: ["error": "\(error)"])
            }
        }
    }

    private func tell(of certificate: ServerCertificate) {
        let shown = certificate.shown
        logger.info(
            "certificate", metadata: ["key": "\(shown.key)", "until": "\(shown.lastDay)"])
        if shown.validUntil < .now {
            logger.warning("the certificate has ended: make another")
        }
    }
}
