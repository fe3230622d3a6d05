import ValetModel
import ValetProtocol

@testable import ValetClient

/// A server that carries deletions out once, and at times fails to say so. Kept in memory over
/// connections.
final class WritingServer: Sendable {
    private struct State {
        var numbers: SeededNumbers
        var outcomes: [CommandName: Outcome] = [:]
        /// Rows in the order in which they were deleted.
        var deleted: [Int64] = []
        var writers: UInt64 = 0
        var retired: [WriterID] = []
    }

    private let state: Mutex<State>
    /// Of a thousand messages, how many end the connection before and after they are carried out,
    /// and how many are too many at once.
    private let dropsBefore: Int
    private let dropsAfter: Int
    private let refusals: Int

    init(seed: UInt64 = 1, dropsBefore: Int = 0, dropsAfter: Int = 0, refusals: Int = 0) {
        state = Mutex(State(numbers: SeededNumbers(seed: seed)))
        self.dropsBefore = dropsBefore
        self.dropsAfter = dropsAfter
        self.refusals = refusals
    }

    var deleted: [Int64] { state.withLock { $0.deleted } }
    var writers: UInt64 { state.withLock { $0.writers } }
    var retired: [WriterID] { state.withLock { $0.retired } }

    func answer(_ message: ClientMessage) -> [ServerMessage] {
        state.withLock { state in
            switch message {
            case .hello: return [.welcome(Welcome(epoch: 7, server: "fake"))]
            case .writerRequest(let request):
                return faulty(request.request, &state) { state in
                    state.writers += 1
                    return .writerAnswer(
                        WriterAnswer(
                            request: request.request, writer: WriterID(high: 0, low: state.writers))
                    )
                }
            case .command(let request):
                return faulty(request.request, &state) { state in
                    let outcome = Self.outcome(of: request.command, &state)
                    return .outcome(OutcomeAnswer(request: request.request, outcome: outcome))
                }
            case .retireWriter(let request):
                state.retired.append(request.writer)
                return [.writerRetired(WriterRetired(request: request.request))]
            default: return []
            }
        }
    }

    private static func outcome(of command: Command, _ state: inout State) -> Outcome {
        if let known = state.outcomes[command.name] { return known }
        guard case .delete(let rows) = command.change else {
            return Outcome(revision: 0, time: 0, verdict: .applied(rowIDs: []))
        }
        state.deleted += rows.map(\.rowID)
        let outcome = Outcome(
            revision: UInt64(state.deleted.count), time: 0,
            verdict: .applied(rowIDs: rows.map(\.rowID)))
        state.outcomes[command.name] = outcome
        return outcome
    }

    private func faulty(
        _ request: UInt32, _ state: inout State, _ answer: (inout State) -> ServerMessage
    ) -> [ServerMessage] {
        let fault = state.numbers.below(1_000)
        // An error for no request ends the connection.
        let drop = ServerMessage.error(
            ErrorAnswer(request: 0, error: ValetError(.timedOut, "dropped")))
        if fault < dropsBefore { return [drop] }
        if fault < dropsBefore + refusals {
            return [.error(ErrorAnswer(request: request, error: ValetError(.busy, "too many")))]
        }
        let answer = answer(&state)
        return fault < dropsBefore + refusals + dropsAfter ? [drop] : [answer]
    }
}
