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

/// A change, and the window that it changes.
struct AimedChange: Sendable {
    var change: ValetModel.Change
    var window = 0
}

extension BenchStation {
    /// - Parameter next: the change with this number, from 0 on.
    /// - Returns: what was committed, in the order of revisions, when all outcomes are here.
    /// - Throws: if a change was not applied.
    func edit(
        _ plan: EditPlan, _ next: @escaping @Sendable (Int) -> AimedChange
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
    private let next: (Int) -> AimedChange
    private let promise: EventLoopPromise<[Commit]>
    private let started = NIODeadline.now()
    private var sent = 0
    private var inFlight = 0
    private var commits: [Commit] = []
    private var isWaitingForTimer = false
    private var isDone = false

    init(
        _ plan: EditPlan, _ handler: BenchStationHandler,
        _ next: @escaping (Int) -> AimedChange, _ promise: EventLoopPromise<[Commit]>
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
            if inFlight == 0 { finish(nil) }
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
        let aimed = next(sent)
        sent += 1
        inFlight += 1
        let submitted = NIODeadline.now()
        handler.submit(aimed.change) { [self] result in
            inFlight -= 1
            take(result, of: aimed, submitted)
            goOn()
        }
    }

    private func take(
        _ result: Result<Outcome, ValetError>, of aimed: AimedChange, _ submitted: NIODeadline
    ) {
        do throws(ValetError) {
            let outcome = try result.get()
            guard case .applied = outcome.verdict else {
                throw ValetError(.unexpected, "a change of the bench is \(outcome.verdict)")
            }
            let now = NIODeadline.now()
            commits.append(
                Commit(
                    revision: outcome.revision, microseconds: outcome.time, window: aimed.window,
                    acknowledgement: .nanoseconds((now - submitted).nanoseconds),
                    sinceStart: .nanoseconds((now - started).nanoseconds)))
        } catch {
            finish(error)
        }
    }

    private func finish(_ error: ValetError?) {
        guard !isDone else { return }
        isDone = true
        if let error { promise.fail(error) } else { promise.succeed(commits) }
    }
}
