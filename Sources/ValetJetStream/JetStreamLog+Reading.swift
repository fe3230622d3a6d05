#if Cluster
    import Dispatch
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
        private static let millisecondsToAnswer = 2_000

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
            let batch = MessageBatch(from: place)
            let wanted = "{\"seq\":\(place),\"batch\":\(most),\"max_bytes\":\(Self.mostBytes)}"
            let number = questions.withLock { questions in
                questions.last += 1
                questions.batches[questions.last] = batch
                return questions.last
            }
            defer { questions.withLock { $0.batches[number] = nil } }
            send(
                Array(wanted.utf8), to: "$JS.API.DIRECT.GET." + stream,
                answer: "\(inbox).\(number)")
            let messages = batch.wait(milliseconds: Self.millisecondsToAnswer)
            if !messages.isEmpty { return .found(messages) }
            return batch.isNothing ? .nothing : .failed
        }
    }

    /// Messages of the log as they come, up to the first one that is missing.
    final class MessageBatch: Sendable {
        private struct State {
            var messages: [[UInt8]] = []
            var isEnded = false
            var isNothing = false
        }

        private let place: UInt64
        private let state = Mutex(State())
        private let news = DispatchSemaphore(value: 0)

        init(from place: UInt64) { self.place = place }

        func take(_ heard: Heard) {
            state.withLock { state in
                guard !state.isEnded else { return }
                if let found = heard.place, found == place &+ UInt64(state.messages.count) {
                    state.messages.append(heard.bytes)
                } else {
                    state.isEnded = true
                    // None there, or a later one alone.
                    state.isNothing = heard.status == "404" || heard.place != nil
                }
            }
            news.signal()
        }

        /// Nothing comes any more.
        func end() {
            state.withLock { $0.isEnded = true }
            news.signal()
        }

        var isNothing: Bool { state.withLock(\.isNothing) }

        /// Those that have come until the end, or until none came for so long.
        func wait(milliseconds: Int) -> [[UInt8]] {
            while !state.withLock(\.isEnded),
                news.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
            {}
            return state.withLock(\.messages)
        }
    }
#endif
