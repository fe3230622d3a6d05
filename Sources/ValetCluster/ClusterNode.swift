import ValetModel

/// Decides for one node of a cluster whether it leads, what it publishes, and what becomes of that.
/// A value without threads, network or a clock: events go in, actions come out, and a runner
/// carries them out.
///
/// # How a leader commits
///
/// It has decided a batch in a transaction that is open, proposes the entry, and looks at what
/// stands at the place behind all that it knows. Its own entry there: COMMIT. Another one that
/// counts: ROLLBACK, and it follows. What the log answered to the publishing decides nothing: it
/// may have stored what it refused, and may still store what it has lost.
///
/// # Who leads
///
/// Whoever's message `lead` counts, until another's does. No lease and no clock: who is slow finds
/// out when its next entry does not count.
package struct ClusterNode: Sendable {
    package enum Role: Equatable, Sendable {
        case following
        /// It asks the log to lead.
        case standing(Proposal)
        /// With the batch that waits for the log.
        case leading(Proposal?)
        /// It takes nothing in any more.
        case outOfService(String)
    }

    package struct Proposal: Equatable, Sendable {
        package let bytes: [UInt8]
        let began: Int64
        /// Until then the log is asked about it, or is left alone.
        var tryAgain: Int64?
    }

    /// What leaders tell everybody, outside the log.
    package struct Heartbeat: Equatable, Sendable {
        package var leadership: Leadership
        /// How far the leader has taken the log in.
        package var place: UInt64

        package init(leadership: Leadership, place: UInt64) {
            (self.leadership, self.place) = (leadership, place)
        }
    }

    package enum Action: Equatable, Sendable {
        /// Publishes a message, if the log's last place is this one; then `published` is called,
        /// whatever came of it.
        case publish([UInt8], after: UInt64)
        /// Looks at one place; then `looked` is called.
        case look(at: UInt64)
        /// Reads messages from a place on; then `read` is called.
        case read(from: UInt64)
        /// Applies bodies of entries, and keeps how far the log was taken in, in one transaction.
        case apply([[UInt8]], LogChain)
        /// The proposed batch is in the log: its transaction ends, with this kept in it.
        case commit(LogChain)
        /// The proposed batch's transaction is taken back; what became of it is not known yet.
        case rollBack
        case say(Heartbeat)
        /// Nothing is taken in any more.
        case leave
        /// Likewise, until another node's file, which has more than this place, has taken the place
        /// of this node's.
        case takeSnapshot(behind: UInt64)
    }

    package enum Look: Equatable, Sendable {
        case message([UInt8])
        /// Nothing is there yet, as far as whoever was asked knows.
        case nothing
        /// It was there once: the log begins later.
        case gone
        case failed
    }

    /// All in milliseconds.
    package struct Times: Sendable {
        package var betweenHeartbeats: Int64 = 200
        /// A node that hears nothing for so long, and up to as long again, asks to lead.
        package var silence: Int64 = 1_000
        package var betweenTries: Int64 = 500
        /// Then a proposal is given up.
        package var forProposals: Int64 = 10_000
        /// Then the log is taken for lost. Servers that have just started may not know all of it.
        package var forLoss: Int64 = 30_000
        package init() {}
    }

    package let name: String
    package let incarnation: UInt64
    package private(set) var chain: LogChain
    package private(set) var role = Role.following
    /// The leader that was heard last.
    package private(set) var leader: Leadership?
    /// How far a leader was when it was heard last.
    package private(set) var leaderPlace: UInt64 = 0
    private let times: Times
    /// What is applied in one transaction ends at these places, where files are compared.
    private let placesPerMark: UInt64
    private var numbers: SeededNumbers
    /// Nobody asks to lead before.
    private var silenceEnds: Int64
    private var saysNext: Int64
    private var readsNext: Int64
    private var isReading = false
    /// Nothing was behind what it knows when it last looked.
    private var isCaughtUp = false
    /// When the log was first found to lack what this node knows, if it is so still.
    private var lostSince: Int64?
    /// It stops leading when its batch is in the log.
    private var stepsDown = false

    /// nil if the name is none.
    ///
    /// - Parameters:
    ///   - chain: as it stands in the file.
    ///   - seed: another for each node and start, so that nodes do not ask to lead at one time.
    package init?(
        name: String, incarnation: UInt64, chain: LogChain, seed: UInt64, times: Times = Times(),
        placesPerMark: UInt64 = Limits.placesPerContentMark, at now: Int64
    ) {
        guard Leadership.isName(name) else { return nil }
        (self.name, self.incarnation, self.chain, self.times) = (name, incarnation, chain, times)
        self.placesPerMark = max(placesPerMark, 1)
        numbers = SeededNumbers(seed: seed)
        (silenceEnds, saysNext, readsNext) = (now, now, now)
        waitForLeader(from: now)
    }

    /// Whether a batch may be decided and proposed now.
    package var takesBatch: Bool { role == .leading(nil) }

    package var isLeading: Bool { if case .leading = role { true } else { false } }

    private mutating func waitForLeader(from now: Int64) {
        silenceEnds = now + times.silence + Int64(numbers.below(Int(max(times.silence, 1))))
    }

    private var own: Leadership {
        Leadership(epoch: chain.leadership.epoch, node: name, incarnation: incarnation)
    }

    // MARK: Time and others

    package mutating func tick(at now: Int64) -> [Action] {
        switch role {
        case .outOfService: return []
        case .following:
            if now >= silenceEnds, isCaughtUp, !isReading { return stand(at: now) }
            return now >= readsNext ? read(at: now) : []
        case .standing(let proposal): return tryAgain(proposal, at: now)
        case .leading(let proposal):
            return sayIfDue(at: now) + (proposal.map { tryAgain($0, at: now) } ?? [])
        }
    }

    private mutating func sayIfDue(at now: Int64) -> [Action] {
        guard now >= saysNext else { return [] }
        saysNext = now + times.betweenHeartbeats
        return [.say(Heartbeat(leadership: own, place: chain.place))]
    }

    /// Another node says that it leads.
    package mutating func heard(_ heartbeat: Heartbeat, at now: Int64) -> [Action] {
        guard heartbeat.leadership.epoch >= chain.leadership.epoch, heartbeat.leadership != own
        else { return [] }
        (leader, leaderPlace) = (heartbeat.leadership, heartbeat.place)
        waitForLeader(from: now)
        if heartbeat.place > chain.place { isCaughtUp = false }
        switch role {
        case .outOfService: return []
        case .following: return heartbeat.place > chain.place ? read(at: now) : []
        case .standing, .leading: return follow(at: now)
        }
    }

    // MARK: Following

    private mutating func read(at now: Int64) -> [Action] {
        readsNext = now + times.betweenTries
        guard !isReading else { return [] }
        isReading = true
        return [.read(from: chain.next)]
    }

    /// What was found from a place on.
    package mutating func read(
        _ reading: LogReading, from place: UInt64, at now: Int64
    ) -> [Action] {
        isReading = false
        guard role == .following, place == chain.next else { return [] }
        switch reading {
        case .failed:
            // Nobody says now that it is lost.
            lostSince = nil
            return []
        case .gone: return fallBehind()
        case .lost: return lost(at: now)
        case .messages(let messages): return take(messages, at: now)
        }
    }

    private mutating func lost(at now: Int64) -> [Action] {
        isCaughtUp = false
        let since = lostSince ?? now
        lostSince = since
        guard now - since >= times.forLoss else { return [] }
        return leaveService(
            "the log's servers have lost what this file has up to place \(chain.place): `valetd "
                + "cluster recover` makes a new log of the file that has most")
    }

    private mutating func take(_ messages: [[UInt8]], at now: Int64) -> [Action] {
        lostSince = nil
        isCaughtUp = messages.isEmpty
        if messages.isEmpty { return [] }
        var actions: [Action] = []
        var bodies: [[UInt8]] = []
        for (number, message) in messages.enumerated() {
            if number > 0, chain.place % placesPerMark == 0 {
                actions.append(.apply(bodies, chain))
                bodies = []
            }
            switch chain.take(message) {
            case .entry(let body): bodies.append(body)
            case .lead:
                leader = chain.leadership
                waitForLeader(from: now)
            case .nothing, .skipped: break
            case .newer(let version):
                if !bodies.isEmpty { actions.append(.apply(bodies, chain)) }
                return actions + leaveService("the log has messages of version \(version)")
            }
        }
        return actions + [.apply(bodies, chain)] + read(at: now)
    }

    private mutating func follow(at now: Int64) -> [Action] {
        let actions = takingBatchBack
        (role, stepsDown) = (.following, false)
        isCaughtUp = false
        waitForLeader(from: now)
        return actions + read(at: now)
    }

    /// What a batch that waits for the log has to hear when the role changes.
    private var takingBatchBack: [Action] {
        if case .leading(_?) = role { [.rollBack] } else { [] }
    }

    /// The file could not take in what was to be applied, as when its disk is full for a while. It
    /// is read again a little later.
    ///
    /// - Parameter chain: as it stands in the file.
    package mutating func fellBack(to chain: LogChain, at now: Int64) -> [Action] {
        if case .outOfService = role { return [] }
        let actions = takingBatchBack
        (self.chain, role, isCaughtUp, stepsDown) = (chain, .following, false, false)
        waitForLeader(from: now)
        readsNext = now + times.betweenTries
        return actions
    }

    /// Others lead for a while, if there are any: this node waits for longer than they do.
    package mutating func stepDown(at now: Int64) -> [Action] {
        switch role {
        case .following, .outOfService: return []
        case .standing, .leading(nil):
            let actions = follow(at: now)
            silenceEnds = now + 4 * times.silence
            return actions
        case .leading:
            stepsDown = true
            return []
        }
    }

    /// - Parameter reason: what is wrong.
    package mutating func leaveService(_ reason: String) -> [Action] {
        leaveService(reason, .leave)
    }

    private mutating func fallBehind() -> [Action] {
        leaveService(
            "the log begins behind what this node knows", .takeSnapshot(behind: chain.place))
    }

    /// The file is another than the other nodes'.
    package mutating func differs(_ reason: String) -> [Action] {
        // A copy of the same place will do.
        leaveService(reason, .takeSnapshot(behind: chain.place - min(chain.place, 1)))
    }

    private mutating func leaveService(_ reason: String, _ action: Action) -> [Action] {
        if case .outOfService = role { return [] }
        let actions = takingBatchBack
        role = .outOfService(reason)
        return actions + [action]
    }

    // MARK: Proposing

    private mutating func stand(at now: Int64) -> [Action] {
        let next = Leadership(
            epoch: chain.leadership.epoch &+ 1, node: name, incarnation: incarnation)
        let nonce = withUnsafeBytes(of: numbers.next().bigEndian) { Array($0) }
        let proposal = Proposal(
            bytes: chain.message(.lead, under: next, body: nonce).bytes, began: now)
        role = .standing(proposal)
        return [.publish(proposal.bytes, after: chain.place)]
    }

    /// A batch was decided, in a transaction that is open.
    ///
    /// - Parameter body: an entry that names the head of the chain, of at most
    ///   `LogMessage.mostBodyBytes`: no node would take in a larger one.
    package mutating func propose(_ body: [UInt8], at now: Int64) -> [Action] {
        guard takesBatch, body.count <= LogMessage.mostBodyBytes else { return [.rollBack] }
        let bytes = chain.message(.entry, under: own, body: body).bytes
        role = .leading(Proposal(bytes: bytes, began: now))
        return [.publish(bytes, after: chain.place)]
    }

    private mutating func tryAgain(_ proposal: Proposal, at now: Int64) -> [Action] {
        if now - proposal.began > times.forProposals { return follow(at: now) }
        guard let time = proposal.tryAgain, now >= time else { return [] }
        setProposal { $0.tryAgain = nil }
        return [.publish(proposal.bytes, after: chain.place)]
    }

    private mutating func setProposal(_ change: (inout Proposal) -> Void) {
        guard var proposal else { return }
        change(&proposal)
        if case .standing = role { role = .standing(proposal) } else { role = .leading(proposal) }
    }

    private var proposal: Proposal? {
        switch role {
        case .standing(let proposal): proposal
        case .leading(let proposal): proposal
        case .following, .outOfService: nil
        }
    }

    /// The publishing has ended in some way.
    package mutating func published() -> [Action] {
        proposal == nil ? [] : [.look(at: chain.next)]
    }

    package mutating func looked(at place: UInt64, _ look: Look, at now: Int64) -> [Action] {
        guard let proposal, place == chain.next else { return [] }
        switch look {
        case .nothing, .failed:
            let time = now + times.betweenTries
            setProposal { $0.tryAgain = time }
            return []
        case .gone: return fallBehind()
        case .message(let bytes):
            let before = chain
            switch chain.take(bytes) {
            case .skipped: return [.look(at: chain.next)]
            case .lead where bytes == proposal.bytes:
                role = .leading(nil)
                leader = own
                saysNext = now
                return [.apply([], chain)] + sayIfDue(at: now)
            case .entry where bytes == proposal.bytes:
                role = .leading(nil)
                return [.commit(chain)] + (stepsDown ? stepDown(at: now) : [])
            case .newer(let version):
                return leaveService("the log has messages of version \(version)")
            case .lead, .entry, .nothing:
                // It is read again, and applied.
                chain = before
                return follow(at: now)
            }
        }
    }
}
