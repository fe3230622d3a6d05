#if Cluster
    import CNATS
    import ValetCluster
    import ValetModel

    extension JetStreamLog {
        package func look(at place: UInt64) -> ClusterNode.Look {
            switch messages(from: place, atMost: 1) {
            case .found(let messages):
                guard let first = messages.first else { return .failed }
                return .message(first)
            case .nothing:
                guard let ends = ends().ends else { return .failed }
                return ends.first > place ? .gone : .nothing
            case .failed: return .failed
            }
        }

        package func read(from place: UInt64) -> LogReading {
            switch messages(from: place, atMost: Self.mostMessages) {
            case .found(let messages): return .messages(messages)
            case .nothing:
                switch ends() {
                case .ends(let ends) where ends.first > place: return .gone
                case .ends(let ends) where ends.last < place &- 1: return .lost
                case .ends: return .messages([])
                case .missing: return .lost
                case .failed: return .failed
                }
            case .failed:
                // Nobody answers for a stream that is not there.
                return ends() == .missing ? .lost : .failed
            }
        }

        private static let mostMessages = 1_000
        private static let mostBytes = 8 << 20
        private static let millisecondsToAnswer: Int64 = 2_000

        private enum Found {
            /// At least one.
            case found([[UInt8]])
            /// As far as the server that answers knows.
            case nothing
            case failed
        }

        /// The messages at a place and at those right behind it, in one request: the library has no
        /// call for several.
        private func messages(from place: UInt64, atMost most: Int) -> Found {
            var inbox: UnsafeMutablePointer<natsInbox>?
            var subscription: OpaquePointer?
            guard natsInbox_Create(&inbox) == NATS_OK, let inbox else { return .failed }
            defer { natsInbox_Destroy(inbox) }
            let subject = UnsafePointer(inbox)
            guard
                natsConnection_SubscribeSync(&subscription, handles.connection, subject) == NATS_OK
            else { return .failed }
            defer { natsSubscription_Destroy(subscription) }
            let wanted = "{\"seq\":\(place),\"batch\":\(most),\"max_bytes\":\(Self.mostBytes)}"
            let status = natsConnection_PublishRequestString(
                handles.connection, "$JS.API.DIRECT.GET." + stream, subject, wanted)
            guard status == NATS_OK else { return .failed }
            return take(subscription, from: place)
        }

        /// Up to the first one that is missing, which a later request finds.
        private func take(_ subscription: OpaquePointer?, from place: UInt64) -> Found {
            var messages: [[UInt8]] = []
            while true {
                var message: OpaquePointer?
                let status = natsSubscription_NextMsg(
                    &message, subscription, Self.millisecondsToAnswer)
                defer { natsMsg_Destroy(message) }
                let next = place &+ UInt64(messages.count)
                if status == NATS_OK, let message, Self.place(of: message) == next {
                    messages.append(Self.bytes(of: message))
                    continue
                }
                if !messages.isEmpty { return .found(messages) }
                guard status == NATS_OK, let message else { return .failed }
                // None there, or a later one alone.
                return Self.header("Status", of: message) == "404"
                    || Self.place(of: message) != nil ? .nothing : .failed
            }
        }

        private static func place(of message: OpaquePointer) -> UInt64? {
            header("Nats-Sequence", of: message).flatMap { UInt64($0) }
        }

        private static func header(_ name: String, of message: OpaquePointer) -> String? {
            var value: UnsafePointer<CChar>?
            guard natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
            return value.map { String(cString: $0) }
        }
    }
#endif
