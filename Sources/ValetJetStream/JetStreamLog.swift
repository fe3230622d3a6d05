#if Cluster
    import CNATS
    import Dispatch
    import Foundation
    import ValetCluster
    import ValetModel

    /// A cluster's log in a stream of NATS JetStream.
    ///
    /// Its messages are those of one subject, and a place is a sequence number of the stream.
    /// Places are read one by one, by their numbers: no consumer has a state that could be lost.
    package final class JetStreamLog: CommandLog {
        let handles: Handles
        private let servers: [String]
        let stream: String
        private let subjects: Subjects
        /// Where answers to this process go.
        let inbox = "_INBOX.valet." + String(UInt64.random(in: 0 ... .max), radix: 36)
        let questions = Mutex(Questions())
        private let listening = Mutex<[Subscription?]>([])

        /// The connection, which the library locks itself.
        struct Handles: @unchecked Sendable {
            let connection: OpaquePointer
            let jetStream: OpaquePointer
        }

        struct Questions {
            /// Of what was asked last.
            var last: UInt64 = 0
            var waiting: [UInt64: @Sendable ([UInt8]?) -> Void] = [:]
            var batches: [UInt64: MessageBatch] = [:]
        }

        /// What a node publishes and hears. A name may be of any letters, so it stands in hex.
        struct Subjects {
            let prefix: String

            var log: String { prefix + ".log" }
            var say: String { prefix + ".say" }
            func ask(_ node: String) -> String { "\(prefix).ask.\(Self.hex(node.utf8))" }

            static func hex(_ bytes: some Sequence<UInt8>) -> String {
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }

        /// - Parameters:
        ///   - logID: names the stream and the subjects.
        ///   - servers: addresses as `nats://host:port`.
        package init(
            logID: UInt64, servers: [String], credentials: String? = nil
        ) throws(ValetError) {
            let name = String(logID, radix: 16)
            self.servers = servers
            stream = "VALET_\(name)"
            subjects = Subjects(prefix: "valet.\(name)")
            handles = try Self.connect(servers, credentials)
            listenForAnswers()
        }

        deinit {
            natsConnection_Close(handles.connection)
            jsCtx_Destroy(handles.jetStream)
            natsConnection_Destroy(handles.connection)
        }

        // MARK: The connection

        private static func connect(
            _ servers: [String], _ credentials: String?
        ) throws(ValetError) -> Handles {
            var options: OpaquePointer?
            try check(natsOptions_Create(&options), "prepare a connection to", servers)
            defer { natsOptions_Destroy(options) }
            var copies = servers.map { UnsafePointer<CChar>(strdup($0)) }
            defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
            try check(
                natsOptions_SetServers(options, &copies, Int32(clamping: servers.count)),
                "understand the addresses", servers)
            natsOptions_SetName(options, "valetd")
            // What waits for a connection must not be published late: nothing fits. 0 is 8 MB.
            natsOptions_SetReconnectBufSize(options, 1)
            natsOptions_SetMaxReconnect(options, -1)
            natsOptions_SetReconnectWait(options, 250)
            natsOptions_SetPingInterval(options, 2_000)
            natsOptions_SetMaxPingsOut(options, 2)
            natsOptions_SetTimeout(options, 2_000)
            if let credentials {
                try check(
                    natsOptions_SetUserCredentialsFromFiles(options, credentials, nil),
                    "read the credentials in “\(credentials)” for", servers)
            }
            var connection: OpaquePointer?
            try check(natsConnection_Connect(&connection, options), "connect to", servers)
            var jetStream: OpaquePointer?
            var waits = jsOptions()
            jsOptions_Init(&waits)
            waits.Wait = 2_000
            let status = natsConnection_JetStream(&jetStream, connection, &waits)
            guard status == NATS_OK, let connection, let jetStream else {
                natsConnection_Destroy(connection)
                throw failure(status, "use JetStream of", servers)
            }
            return Handles(connection: connection, jetStream: jetStream)
        }

        private static func check(
            _ status: natsStatus, _ what: String, _ servers: [String]
        ) throws(ValetError) {
            if status != NATS_OK { throw failure(status, what, servers) }
        }

        private static func failure(
            _ status: natsStatus, _ what: String, _ servers: [String]
        ) -> ValetError {
            let reason = String(cString: natsStatus_GetText(status))
            return ValetError(
                .storageFailed, "can't \(what) \(servers.joined(separator: ",")): \(reason)")
        }

        // MARK: The stream

        /// Makes the stream, with three copies where there are three servers.
        package func makeStream(copies: Int, mostBytes: Int64) throws(ValetError) {
            var config = jsStreamConfig()
            jsStreamConfig_Init(&config)
            let (name, subject) = (strdup(stream), strdup(subjects.log))
            defer {
                free(name)
                free(subject)
            }
            var subjects = [UnsafePointer<CChar>(subject)]
            var code = jsErrCode(0)
            let status = subjects.withUnsafeMutableBufferPointer { subjects in
                config.Name = UnsafePointer(name)
                (config.Subjects, config.SubjectsLen) = (subjects.baseAddress, 1)
                config.Retention = js_LimitsPolicy
                config.Storage = js_FileStorage
                config.Discard = js_DiscardNew
                config.Replicas = Int64(copies)
                config.MaxBytes = mostBytes
                config.MaxMsgSize = Int32(clamping: LogMessage.mostBytes + 1_024)
                (config.AllowDirect, config.DenyDelete) = (true, true)
                return js_AddStream(nil, handles.jetStream, &config, nil, &code)
            }
            guard status == NATS_OK else {
                throw Self.failure(status, "make the stream \(stream) on", servers)
            }
        }

        package func ends() -> LogLook {
            var info: UnsafeMutablePointer<jsStreamInfo>?
            var code = jsErrCode(0)
            let status = js_GetStreamInfo(&info, handles.jetStream, stream, nil, &code)
            defer { jsStreamInfo_Destroy(info) }
            if status == NATS_NOT_FOUND, code == JSStreamNotFoundErr { return .missing }
            guard status == NATS_OK, let info = info?.pointee, let config = info.Config?.pointee
            else { return .failed }
            // The one that answers counts among the copies, and has all.
            let others = info.Cluster.map { cluster in
                UnsafeBufferPointer(
                    start: cluster.pointee.Replicas, count: Int(cluster.pointee.ReplicasLen))
            }
            let whole = others?.count { $0?.pointee.Current == true } ?? 0
            return .ends(
                LogEnds(
                    first: info.State.FirstSeq, last: info.State.LastSeq, bytes: info.State.Bytes,
                    mostBytes: UInt64(clamping: config.MaxBytes), copies: Int(config.Replicas),
                    wholeCopies: whole + 1))
        }

        package func purge(keepingFrom place: UInt64) -> Bool {
            var options = jsOptions()
            jsOptions_Init(&options)
            options.Stream.Purge.Sequence = place
            return js_PurgeStream(handles.jetStream, stream, &options, nil) == NATS_OK
        }

        package func publish(_ bytes: [UInt8], after place: UInt64) {
            var message: OpaquePointer?
            let status = bytes.withUnsafeBytes { bytes in
                natsMsg_Create(
                    &message, subjects.log, nil, bytes.bindMemory(to: CChar.self).baseAddress,
                    Int32(clamping: bytes.count))
            }
            guard status == NATS_OK else { return }
            defer { natsMsg_Destroy(message) }
            // The library leaves out an expected place of 0.
            natsMsgHeader_Set(message, "Nats-Expected-Last-Sequence", String(place))
            var options = jsPubOptions()
            jsPubOptions_Init(&options)
            options.MaxWait = 2_000
            var code = jsErrCode(0)
            _ = js_PublishMsg(nil, handles.jetStream, message, &options, &code)
        }

        static func bytes(of message: OpaquePointer?) -> [UInt8] {
            let count = Int(natsMsg_GetDataLength(message))
            guard count > 0, let data = natsMsg_GetData(message) else { return [] }
            return Array(UnsafeRawBufferPointer(start: data, count: count))
        }

        // MARK: Outside the log

        package func say(_ news: NodeNews) { send(news.bytes, to: subjects.say) }

        package func ask(
            _ node: String, _ question: [UInt8], _ take: @escaping @Sendable ([UInt8]?) -> Void
        ) {
            let number = questions.withLock { questions in
                questions.last += 1
                questions.waiting[questions.last] = take
                return questions.last
            }
            send(question, to: subjects.ask(node), answer: "\(inbox).\(number)")
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.secondsToAnswer)) {
                [weak self] in
                self?.answered(number, nil)
            }
        }

        private static let secondsToAnswer = 5

        private func answered(_ number: UInt64, _ answer: [UInt8]?) {
            let take = questions.withLock { $0.waiting.removeValue(forKey: number) }
            take?(answer)
        }

        package func listen(
            as node: String, hear: @escaping @Sendable (NodeNews) -> Void,
            asked: @escaping AskedNode
        ) {
            let subscriptions = [
                subscription(to: subjects.say) { message in
                    if let news = NodeNews(message.bytes) { hear(news) }
                },
                subscription(to: subjects.ask(node)) { [weak self] message in
                    guard let answer = message.answer else { return }
                    asked(message.bytes) { [weak self] bytes in self?.send(bytes, to: answer) }
                },
            ]
            let before = listening.withLock { listening in
                defer { listening = subscriptions }
                return listening
            }
            for subscription in before { subscription?.end() }
        }

        package func close() {
            natsConnection_Close(handles.connection)
            let (waiting, batches) = questions.withLock { questions in
                defer { questions.waiting = [:] }
                return (Array(questions.waiting.values), Array(questions.batches.values))
            }
            for take in waiting { take(nil) }
            for batch in batches { batch.end() }
        }

        private func listenForAnswers() {
            let prefix = inbox.utf8.count + 1
            _ = subscription(to: inbox + ".*") { [weak self] message in
                guard let number = UInt64(message.subject.dropFirst(prefix)) else { return }
                if let batch = self?.questions.withLock({ $0.batches[number] }) {
                    return batch.take(message)
                }
                self?.answered(number, message.isFromNobody ? nil : message.bytes)
            }
        }

        func send(_ bytes: [UInt8], to subject: String, answer: String? = nil) {
            bytes.withUnsafeBytes { bytes in
                let count = Int32(clamping: bytes.count)
                if let answer {
                    natsConnection_PublishRequest(
                        handles.connection, subject, answer, bytes.baseAddress, count)
                } else {
                    natsConnection_Publish(handles.connection, subject, bytes.baseAddress, count)
                }
            }
        }

        /// Lasts until it is ended, or the connection is. nil if the connection is closed.
        private func subscription(
            to subject: String, _ take: @escaping @Sendable (Heard) -> Void
        ) -> Subscription? {
            let subscription = Subscription(take)
            return subscription.begin(handles.connection, subject) ? subscription : nil
        }
    }

    /// A message of a subscription.
    struct Heard: Sendable {
        let subject: String
        /// Where an answer goes.
        let answer: String?
        let bytes: [UInt8]
        /// Nobody hears what was asked.
        let isFromNobody: Bool
        /// Of a message of the log.
        let place: UInt64?
        /// As `404`; nil for what is no error.
        let status: String?
    }

    /// Calls `take` with each message, on a thread of the library.
    private final class Subscription: @unchecked Sendable {
        private let take: @Sendable (Heard) -> Void
        private var handle: OpaquePointer?

        init(_ take: @escaping @Sendable (Heard) -> Void) { self.take = take }

        func begin(_ connection: OpaquePointer, _ subject: String) -> Bool {
            // The library calls it until it has said that no call comes any more.
            let closure = Unmanaged.passRetained(self).toOpaque()
            let status = natsConnection_Subscribe(
                &handle, connection, subject,
                { _, _, message, closure in
                    defer { natsMsg_Destroy(message) }
                    guard let message, let closure else { return }
                    let subscription = Unmanaged<Subscription>.fromOpaque(closure)
                        .takeUnretainedValue()
                    subscription.take(Heard(message))
                }, closure)
            guard status == NATS_OK else {
                Unmanaged<Subscription>.fromOpaque(closure).release()
                return false
            }
            natsSubscription_SetOnCompleteCB(
                handle,
                { closure in
                    if let closure { Unmanaged<Subscription>.fromOpaque(closure).release() }
                }, closure)
            return true
        }

        func end() {
            natsSubscription_Unsubscribe(handle)
            natsSubscription_Destroy(handle)
            handle = nil
        }
    }

    extension Heard {
        fileprivate init(_ message: OpaquePointer) {
            subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
            answer = natsMsg_GetReply(message).map { String(cString: $0) }
            bytes = JetStreamLog.bytes(of: message)
            isFromNobody = natsMsg_IsNoResponders(message)
            func header(_ name: String) -> String? {
                var value: UnsafePointer<CChar>?
                guard natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
                return value.map { String(cString: $0) }
            }
            place = header("Nats-Sequence").flatMap { UInt64($0) }
            status = header("Status")
        }
    }
#endif
