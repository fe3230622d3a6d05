import ValetCluster
import ValetModel
import ValetStore

/// A node that follows applies what others decide, and sends commands to the node that leads.
extension FileWriter {
    /// Applies what other nodes have decided. Then those are answered whose outcomes are among it:
    /// so whoever was told of a change finds it here.
    func follow(_ entries: [[UInt8]], _ chain: LogChain) throws(ValetError) {
        let writer = try openWriter()
        let (applied, grown) = reporting { willCommit, didCommit in
            Result { () throws(ValetError) in
                try writer.follow(
                    entries, keeping: chain.stored, willCommit: willCommit, didCommit: didCommit)
            }
        }
        conclude(awaitedUpTo: grown.last?.revision ?? 0, grown)
        try applied.get()
    }

    /// Answers those whose outcomes are of revisions that the file has.
    func conclude(awaitedUpTo revision: UInt64, _ grown: [Growth] = []) {
        conclude(Self.opened.currentValue?.awaited.reached(revision) ?? [], grown)
    }

    /// On the writer's thread.
    func forward(_ command: ListCommand, _ job: Job, by node: NodeRunner) {
        let refusal = Result<WriterResult, ValetError>.failure(node.noLeader)
        guard let asked = command.asked else { return conclude([(job.answer, refusal)]) }
        let forwarded = ForwardedCommand(
            asked.request, from: command.sent.station, actingFor: job.principal,
            catalog: database.catalogDigest, isCurrent: asked.isCurrent)
        let isAsked = node.askLeader(.command(forwarded)) { [weak self] answer in
            guard let self else { return job.answer(.failure(.shuttingDown)) }
            thread.submit { [self] state in
                guard state == .active else { return job.answer(.failure(.shuttingDown)) }
                take(answer, job)
            }
        }
        if !isAsked { conclude([(job.answer, refusal)]) }
    }

    /// - Parameter answer: of the node that leads; nil if there was none in time.
    private func take(_ answer: [UInt8]?, _ job: Job) {
        let outcome = Result { () throws(ValetError) in
            guard let answer else {
                throw ValetError(
                    .outcomeUnknown,
                    "the cluster's leader has not answered in time: it may have made the change")
            }
            return try NodeAnswer<Outcome>(answer).result.get()
        }
        guard case .success(let told) = outcome, let opened = Self.opened.currentValue,
            (try? database.watch.look()).map({ $0 < told.revision }) ?? true
        else { return conclude([(job.answer, outcome.map { .outcome($0) })]) }
        opened.awaited.add(told, job.answer)
    }
}

/// Outcomes that the node that leads has told, of revisions that this one has not reached.
struct AwaitedOutcomes {
    private var waiting: [(outcome: Outcome, answer: FileWriter.Answer)] = []

    mutating func add(_ outcome: Outcome, _ answer: @escaping FileWriter.Answer) {
        waiting.append((outcome, answer))
    }

    /// Those whose revisions the file has.
    mutating func reached(
        _ revision: UInt64
    ) -> [(FileWriter.Answer, Result<WriterResult, ValetError>)] {
        let ready = waiting.filter { $0.outcome.revision <= revision }
        waiting.removeAll { $0.outcome.revision <= revision }
        return ready.map { ($0.answer, .success(.outcome($0.outcome))) }
    }
}
