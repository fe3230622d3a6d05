#if Cluster
    import CNATS
    import Foundation
    import ValetCluster
    import ValetModel

    extension JetStreamLog {
        /// Throws if its servers are too old; not if they can't be asked at the moment.
        package func checkVersion() throws(ValetError) {
            var message: OpaquePointer?
            let status = natsConnection_RequestString(
                &message, handles.connection, "$JS.API.STREAM.INFO." + stream, "", 2_000)
            defer { natsMsg_Destroy(message) }
            guard status == NATS_OK,
                let info = try? JSONDecoder().decode(
                    Info.self, from: Data(Self.bytes(of: message))),
                let config = info.config
            else { return }
            let version = config.metadata?["_nats.ver"]
            if let refusal = LogServerVersion.refusal(of: version) { throw refusal }
        }

        /// What a server answers about a stream, which the library leaves out.
        private struct Info: Decodable {
            struct Config: Decodable {
                var metadata: [String: String]?
            }

            var config: Config?
        }
    }
#endif
