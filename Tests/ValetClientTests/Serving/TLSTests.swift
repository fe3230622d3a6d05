import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing
import ValetModel
import ValetSecurity
import ValetServer

@testable import ValetClient

/// Connections over TLS, and who is not let in, or not believed.
@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    private let folder = TemporaryFolder()

    private func connect(
        _ server: TestServer, _ trust: ServerTrust?, host: String = "127.0.0.1"
    ) async throws(ValetError) -> ValetConnection {
        try await ValetConnection.connect(
            host: host, port: server.port, station: TestServer.station, trust: trust)
    }

    /// What a client that trusts so says of a server with this certificate.
    private func refusal(
        of certificate: ServerCertificate, host: String = "127.0.0.1", _ trust: ServerTrust?
    ) async throws -> ValetError? {
        let server = try await TestServer(cars: 10, certificate: certificate)
        let error = await failure { try await connect(server, trust, host: host) }
        await server.server.stop()
        return error
    }

    private var authorities: ServerTrust { .authorities(path: folder.certificatePath) }

    @Test(arguments: ["127.0.0.1", "localhost"]) func rowsAreTheSameAsWithout(host: String)
        async throws
    {
        let certificate = try folder.certificate()
        let cars = TemporaryFolder()
        let path = try cars.cars(20_000)
        let plain = try await TestServer(path)
        let encrypted = try await TestServer(path, certificate: certificate)
        var found: [[Row]] = []
        for (server, trust) in [
            (plain, nil), (encrypted, .key(certificate.shown.key)), (encrypted, authorities),
        ] as [(TestServer, ServerTrust?)] {
            let connection = try await connect(server, trust, host: host)
            let view = try await connection.openView(list: "cars", Query(grouping: "make"))
            var rows: [Row] = []
            for start in stride(from: 0, to: 20_000, by: 1_000) {
                rows += try await view.window(at: .ordinal(start), rows: 1_000).rows
                    .compactMap(\.self)
            }
            found.append(rows)
            await connection.close()
        }
        #expect(found[0].count == 20_000)
        #expect(found[0] == found[1])
        #expect(found[0] == found[2])
        await plain.server.stop()
        await encrypted.server.stop()
    }

    @Test func aServerThatNobodyVouchesForIsRefused() async throws {
        let error = try await refusal(of: folder.certificate(), .system)
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("only its own key vouches") == true)
        #expect(error?.message.contains("SHA256:") == true)
    }

    @Test func anotherKeyIsRefusedWithBothKeys() async throws {
        let former = try folder.certificate().shown.key
        let certificate = try folder.certificate()
        let error = try await refusal(of: certificate, .key(former))
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("\(former)") == true)
        #expect(error?.message.contains("\(certificate.shown.key)") == true)
    }

    @Test(arguments: [
        (["10.0.0.1", "localhost"], 0..<10, "for 10.0.0.1, localhost, not for 127.0.0.1"),
        (["127.0.0.1"], -10 ..< -1, "ended on"), (["127.0.0.1"], 2..<10, "begins on"),
    ]) func aCertificateForAnotherNameOrTimeIsRefused(
        names: [String], days: Range<Int>, words: String
    ) async throws {
        let error = try await refusal(of: folder.certificate(for: names, days: days), authorities)
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    /// Whoever forges an answer of the name service has a certificate for that address.
    @Test func aCertificateForTheAddressIsNoneForTheName() async throws {
        let error = try await refusal(
            of: folder.certificate(for: ["127.0.0.1"]), host: "localhost", authorities)
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("for 127.0.0.1, not for localhost") == true)
    }

    /// It ends in the handshake, which says nothing about its key.
    @Test func aConnectionThatEndsIsNoSignOfAnotherKey() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.close() }
            .bind(host: "127.0.0.1", port: 0).get()
        let key = try folder.certificate().shown.key
        let error = await failure {
            try await ValetConnection.connect(
                host: "127.0.0.1", port: listener.localAddress?.port ?? 0,
                station: TestServer.station, trust: .key(key))
        }
        #expect(error?.isOfConnection == true, "\(error?.message ?? "")")
        try await listener.close()
    }

    @Test func anotherAuthorityDoesNotVouch() async throws {
        let other = TemporaryFolder()
        try other.certificate()
        let error = try await refusal(
            of: folder.certificate(), .authorities(path: other.certificatePath))
        #expect(error?.code == .notAllowed)
    }

    @Test func clientsAndServersThatDifferInTLSSaySo() async throws {
        let certificate = try folder.certificate()
        let withoutTLS = try await refusal(of: certificate, nil)
        #expect(withoutTLS?.message.contains("valets://") == true, "\(withoutTLS?.message ?? "")")
        let plain = try await TestServer(cars: 10)
        let error = await failure { try await connect(plain, .key(certificate.shown.key)) }
        #expect(error?.message.contains("does not speak TLS") == true, "\(error?.message ?? "")")
        await plain.server.stop()
    }

    @Test func anOlderVersionOfTLSIsRefused() async throws {
        let server = try await TestServer(cars: 10, certificate: folder.certificate())
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.maximumTLSVersion = .tlsv12
        let context = try NIOSSLContext(configuration: configuration)
        let outcome = Waiter<String>()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLClientHandler(context: context, serverHostname: nil),
                        FirstNews { outcome.finish(.success($0)) })
                }
            }.connect(host: "127.0.0.1", port: server.port).get()
        #expect(try await outcome.answer().contains("PROTOCOL_VERSION"))
        try await channel.closeFuture.get()
        await server.server.stop()
    }

    @Test func aNewCertificateDropsNobody() async throws {
        let certificate = try folder.certificate()
        let former = certificate.shown.key
        let server = try await TestServer(cars: 100, certificate: certificate)
        let connection = try await connect(server, .key(former))
        try folder.certificate()
        try certificate.reload()
        #expect(certificate.shown.key != former)
        let view = try await connection.openView(list: "cars")
        #expect(try await view.allRows().count == 100)
        #expect(await failure { try await connect(server, .key(former)) }?.code == .notAllowed)
        let later = try await connect(server, .key(certificate.shown.key))
        await later.close()
        await connection.close()
        await server.server.stop()
    }

    /// Half a handshake ends like half a hello, and its place is free again.
    @Test(arguments: [[], [22], [22, 3, 1, 2, 0, 1]] as [[UInt8]])
    func aHandshakeThatIsNotFinishedEnds(bytes: [UInt8]) async throws {
        let certificate = try folder.certificate()
        let server = try await TestServer(cars: 10, certificate: certificate) { options in
            options.connectionLimit = 1
            options.timeouts.hello = .seconds(1)
            options.timeouts.linger = .milliseconds(50)
        }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: server.port).get()
        if !bytes.isEmpty { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }
        try await channel.closeFuture.get()
        // The client may see the end before the server has counted it.
        while true {
            do {
                let connection = try await connect(server, .key(certificate.shown.key))
                await connection.close()
                break
            } catch {
                guard error.code == .tooManyClients else { throw error }
            }
        }
        await server.server.stop()
    }

    @Test func aServerThatStopsSaysSoOverTLS() async throws {
        let certificate = try folder.certificate()
        let server = try await TestServer(cars: 10, certificate: certificate)
        let connection = try await connect(server, .key(certificate.shown.key))
        let ended = Waiter<String>()
        connection.onGoingAway { ended.finish(.success($0)) }
        await server.server.stop()
        #expect(try await !ended.answer().isEmpty)
    }

    @Test func aServerBeyondItsLimitSaysSoOverTLS() async throws {
        let certificate = try folder.certificate()
        let server = try await TestServer(cars: 10, certificate: certificate) {
            $0.connectionLimit = 1
        }
        let first = try await connect(server, .key(certificate.shown.key))
        let error = await failure { try await connect(server, .key(certificate.shown.key)) }
        #expect(error?.code == .tooManyClients)
        await first.close()
        await server.server.stop()
    }
}

/// Tells the first error of a connection, or that it has TLS.
private final class FirstNews: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let tell: @Sendable (String) -> Void

    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { tell("\(error)") }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { tell("data") }
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { tell("\(event)") }
    func channelInactive(context: ChannelHandlerContext) { tell("closed") }
}
