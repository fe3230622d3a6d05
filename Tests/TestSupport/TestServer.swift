import Logging
import NIOPosix
import ValetModel
import ValetSecurity
import ValetServer

/// A server of a test's own, on a port that the system chose. What a suite asks it for stands with
/// the suite, in an extension.
package struct TestServer: Sendable {
    package static let epoch: UInt64 = 7

    package let server: ValetServer
    package let port: Int
    /// Has the served file, if that is the server's own.
    private let folder: TemporaryFolder?

    /// Serves cars in a file of its own.
    package init(
        cars count: Int, havePhotos: Bool = false, certificate: ServerCertificate? = nil,
        _ adjust: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(count, havePhotos: havePhotos)
        try await self.init(path, in: folder, certificate: certificate, adjust)
    }

    /// - Parameter certificate: for TLS; nil for none.
    package init(
        _ path: String, in folder: TemporaryFolder? = nil, certificate: ServerCertificate? = nil,
        _ adjust: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        self.folder = folder
        var options = ServerOptions(path: path, epoch: Self.epoch)
        // What does not test these limits must not meet them on a busy machine.
        options.timeouts.hello = .seconds(60)
        options.timeouts.frame = .seconds(60)
        options.timeouts.silence = .seconds(600)
        options.timeouts.linger = .seconds(1)
        options.timeouts.drain = .seconds(2)
        adjust(&options)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try await ValetServer(
            options, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        // A listener has an address, and nothing is served at port 0.
        port =
            try await server.listen(host: "127.0.0.1", port: 0, certificate: certificate).port ?? 0
    }
}
