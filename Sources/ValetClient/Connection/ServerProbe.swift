import NIOCore
import NIOPosix
import ValetModel
import ValetSecurity

/// Asks a server for its certificate, and goes.
enum ServerProbe {
    static func certificate(
        host: String, port: Int, group: any EventLoopGroup
    ) async throws(ValetError) -> ShownCertificate {
        guard UInt16(exactly: port) != nil else {
            throw .limit("port", is: Int(UInt16.max), asked: port)
        }
        let tls = try ClientTLS(host: host, trust: nil)
        let (answer, patience) = (Waiter<ShownCertificate>(), TimeAmount.seconds(5))
        do {
            let channel = try await ClientBootstrap(group: group)
                .connectTimeout(patience)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            tls.makeHandler { answer.finish(.success($0)) })
                    }
                }
                .connect(host: host, port: port).get()
            let end = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in
                end.cancel()
                let error = ValetError(.timedOut, "\(host):\(port) does not speak TLS 1.3")
                answer.finish(.failure(error))
            }
        } catch {
            throw ValetError(
                .timedOut,
                "no Valet server answers at \(host):\(port): \(ValetConnection.plain(error))")
        }
        return try await answer.answer()
    }
}
