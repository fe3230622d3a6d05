import NIOCore
import ValetModel

/// Changes that one station submits, one after the other.
struct EditPlan: Sendable {
    /// Commands without an outcome, at most.
    var inFlight = 32
    /// As many as can be, without it.
    var perSecond: Double?
    var count = Int.max
    var seconds = Double.infinity

    static func paced(_ perSecond: Double, count: Int) -> EditPlan {
        EditPlan(perSecond: perSecond, count: count)
    }
}

/// A change that was committed.
struct Commit: Hashable, Sendable {
    /// Of the change, from 0 on.
    var number: Int
    var revision: UInt64
    /// When its transaction began, in microseconds since 1970, UTC.
    var microseconds: Int64
    /// From the command to its outcome.
    var acknowledgement: Duration
    /// From the first command of the run to the outcome.
    var sinceStart: Duration
}

extension BenchStation {
    /// - Parameter next: the change with this number, from 0 on.
    /// - Returns: what was committed, in the order of revisions, when all outcomes are here.
    /// - Throws: if a change was not applied.
    func edit(
        _ plan: EditPlan, _ next: @escaping @Sendable (Int) -> ValetModel.Change
    ) async throws -> [Commit] {
        let seconds = plan.seconds.isFinite ? plan.seconds : 0
        let paced = plan.perSecond.map { Double(plan.count) / $0 } ?? 0
        let limit = TimeAmount.seconds(60 + Int64(max(seconds, min(paced, 3_600))))
        return try await waiting(within: limit) { handler, promise in
            EditRun(plan, handler, next, promise).goOn()
        }
    }
}

/// Used on the station's event loop only. It lives as long as an outcome or its timer refers to it.
private final class EditRun {
    private let plan: EditPlan
    private let handler: BenchStationHandler
    private let next: (Int) -> ValetModel.Change
    private let promise: EventLoopPromise<[Commit]>
    private let started = NIODeadline.now()
    private var sent = 0
    private var inFlight = 0
    private var commits: [Commit] = []
    private var isWaitingForTimer = false
    private var isDone = false

    init(
        _ plan: EditPlan, _ handler: BenchStationHandler,
        _ next: @escaping (Int) -> ValetModel.Change, _ promise: EventLoopPromise<[Commit]>
    ) {
        self.plan = plan
        self.handler = handler
        self.next = next
        self.promise = promise
    }

    private func due(_ number: Int) -> NIODeadline {
        guard let perSecond = plan.perSecond else { return started }
        return started + .nanoseconds(Int64(Double(number) / perSecond * 1e9))
    }

    private var isOver: Bool {
        sent >= plan.count
            || Double((NIODeadline.now() - started).nanoseconds) >= plan.seconds * 1e9
    }

    func goOn() {
        while !isDone, !isOver, inFlight < plan.inFlight, due(sent) <= .now() { submit() }
        if isOver {
            if inFlight == 0 { finish(.success(commits)) }
        } else if inFlight < plan.inFlight, !isDone, !isWaitingForTimer {
            isWaitingForTimer = true
            let this = NIOLoopBound(self, eventLoop: promise.futureResult.eventLoop)
            promise.futureResult.eventLoop.scheduleTask(deadline: due(sent)) {
                this.value.isWaitingForTimer = false
                this.value.goOn()
            }
        }
    }

    private func submit() {
        let number = sent
        sent += 1
        inFlight += 1
        let submitted = NIODeadline.now()
        handler.submit(next(number)) { [self] result in
            inFlight -= 1
            do {
                let outcome = try result.get()
                _ = try outcome.appliedRowIDs()
                let now = NIODeadline.now()
                commits.append(
                    Commit(
                        number: number, revision: outcome.revision, microseconds: outcome.time,
                        acknowledgement: .nanoseconds((now - submitted).nanoseconds),
                        sinceStart: .nanoseconds((now - started).nanoseconds)))
            } catch {
                finish(.failure(error))
            }
            goOn()
        }
    }

    private func finish(_ result: Result<[Commit], any Error>) {
        guard !isDone else { return }
        isDone = true
        promise.completeWith(result)
    }
}

extension Outcome {
    /// - Throws: if the change was not applied.
    func appliedRowIDs() throws -> [Int64] {
        guard case .applied(let rowIDs) = verdict else {
            throw ValetError(.unexpected, "a change of the bench is \(verdict)")
        }
        return rowIDs
    }
}

extension Latencies {
    /// Records how long each commit took to be whole in a mirror that it changes.
    /// - Parameter commits: in the order of their revisions.
    /// - Throws: if one never was.
    mutating func record(_ commits: [Commit], in wholes: [PageMirror.Whole]) throws {
        var next = wholes.startIndex
        for commit in commits {
            while next < wholes.endIndex, wholes[next].revision < commit.revision { next += 1 }
            guard next < wholes.endIndex else {
                throw ValetError(.malformed, "revision \(commit.revision) came to no mirror")
            }
            record(.microseconds(wholes[next].microseconds - commit.microseconds))
        }
    }

    /// How long each commit took to be whole at a station, which is waited for.
    mutating func record(_ commits: [Commit], at station: BenchStation) async throws {
        guard let last = commits.last else { return }
        try await station.isWhole(at: last.revision)
        try record(commits, in: try await station.onLoop(\.wholes))
    }
}
