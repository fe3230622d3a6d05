import ArgumentParser
import Foundation
import Logging
import NIOPosix
import ValetServer

/// The server's code in a process of its own: what a bench starts.
struct ServeForBenchCommand: AsyncParsableCommand {
    static let name = "serve-for-bench"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Serve a file until killed.", shouldDisplay: false)

    @Argument(help: "The SQLite file to serve.")
    var file: String

    func run() async throws {
        var logger = Logger(label: "valet-load") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let server = try await ValetServer(
            ServerOptions(path: file, epoch: 1),
            group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let address = try await server.listen(host: "127.0.0.1", port: 0)
        let line = "listening on 127.0.0.1:\(address.port ?? 0)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }
}
