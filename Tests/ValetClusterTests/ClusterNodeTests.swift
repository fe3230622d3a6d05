import Testing
import ValetModel

@testable import ValetCluster

/// What a node decides, as transcripts: no log, no network, no clock.
@Suite struct ClusterNodeTests {
    private typealias Action = ClusterNode.Action
    private typealias Heartbeat = ClusterNode.Heartbeat

    private static let bo = Leadership(epoch: 1, node: "bo", incarnation: 9)
    private static let silence: Int64 = 10_000
    private var node: ClusterNode

    init() throws {
        node = try #require(Self.node("ana"))
    }

    private static func node(_ name: String) -> ClusterNode? {
        ClusterNode(name: name, incarnation: 5, chain: LogChain(logID: 7), seed: 1, at: 0)
    }

    private static func bytes(_ action: Action?) -> [UInt8] {
        if case .publish(let bytes, _)? = action { bytes } else { [] }
    }

    /// A node that has looked at an empty log, has heard nobody, and leads.
    private mutating func lead() -> [UInt8] {
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.read(.messages([]), from: 1, at: 0) == [])
        let lead = Self.bytes(node.tick(at: Self.silence).first)
        #expect(node.published() == [.look(at: 1)])
        let own = Leadership(epoch: 1, node: "ana", incarnation: 5)
        var chain = node.chain
        _ = chain.take(lead)
        #expect(
            node.looked(at: 1, .message(lead), at: Self.silence)
                == [.apply([], chain), .say(Heartbeat(leadership: own, place: 1))])
        #expect(node.takesBatch && node.leader == own)
        return lead
    }

    /// A log that `bo` leads, and what it has published.
    private static func led(_ bodies: [UInt8]...) -> (chain: LogChain, messages: [[UInt8]]) {
        var chain = LogChain(logID: 7)
        var messages = [chain.message(.lead, under: bo).bytes]
        _ = chain.take(messages[0])
        for body in bodies {
            messages.append(chain.message(.entry, under: bo, body: body).bytes)
            _ = chain.take(messages[messages.count - 1])
        }
        return (chain, messages)
    }

    // MARK: Leading

    @Test mutating func whoHearsNobodyAsksToLeadAndLeadsWhenTheLogSaysSo() {
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.tick(at: Self.silence) == [], "it does not know how far the log is")
        #expect(node.read(.messages([]), from: 1, at: Self.silence) == [])
        let asked = node.tick(at: Self.silence)
        let lead = Self.bytes(asked.first)
        #expect(asked == [.publish(lead, after: 0)])
        #expect(!node.isLeading && node.published() == [.look(at: 1)])
        _ = node.looked(at: 1, .message(lead), at: Self.silence)
        #expect(node.isLeading)
    }

    @Test mutating func aBatchCountsOnceItIsInTheLog() {
        _ = lead()
        let published = node.propose([1, 2], at: 20_000)
        let entry = Self.bytes(published.first)
        #expect(published == [.publish(entry, after: 1)])
        #expect(!node.takesBatch && node.isLeading, "one at a time")
        #expect(node.published() == [.look(at: 2)])
        var chain = node.chain
        _ = chain.take(entry)
        #expect(node.looked(at: 2, .message(entry), at: 20_001) == [.commit(chain)])
        #expect(node.takesBatch && node.chain == chain)
    }

    /// Where nothing is found, the same bytes are published again: it may still arrive.
    @Test mutating func whatTheLogSaysDecidesNothing() {
        _ = lead()
        let entry = Self.bytes(node.propose([1], at: 20_000).first)
        #expect(node.published() == [.look(at: 2)])
        #expect(node.looked(at: 2, .nothing, at: 20_000) == [])
        #expect(!node.tick(at: 20_100).contains(.publish(entry, after: 1)), "not yet")
        #expect(node.tick(at: 20_500).contains(.publish(entry, after: 1)))
        #expect(node.published() == [.look(at: 2)])
        #expect(node.looked(at: 2, .failed, at: 20_600) == [])
        #expect(node.tick(at: 21_100).contains(.publish(entry, after: 1)))
        #expect(node.published() == [.look(at: 2)])
        var chain = node.chain
        _ = chain.take(entry)
        #expect(node.looked(at: 2, .message(entry), at: 21_200) == [.commit(chain)])
    }

    /// What does not count is passed over, whoever has published it.
    @Test mutating func aBatchIsLookedForBehindWhatDoesNotCount() {
        let lead = lead()
        let entry = Self.bytes(node.propose([1], at: 20_000).first)
        #expect(node.published() == [.look(at: 2)])
        #expect(node.looked(at: 2, .message(lead), at: 20_000) == [.look(at: 3)], "stored twice")
        #expect(node.looked(at: 3, .message([0]), at: 20_000) == [.look(at: 4)], "a stranger's")
        #expect(node.looked(at: 4, .nothing, at: 20_000) == [])
        #expect(node.tick(at: 20_500).contains(.publish(entry, after: 3)))
        var chain = node.chain
        _ = chain.take(entry)
        #expect(node.looked(at: 4, .message(entry), at: 20_600) == [.commit(chain)])
    }

    @Test mutating func whoFindsAnothersMessageTakesItsBatchBackAndFollows() {
        _ = lead()
        _ = node.propose([1], at: 20_000)
        let next = Leadership(epoch: 2, node: "bo", incarnation: 9)
        let other = node.chain.message(.lead, under: next).bytes
        #expect(
            node.looked(at: 2, .message(other), at: 20_100) == [.rollBack, .read(from: 2)])
        #expect(node.role == .following && node.chain.place == 1, "it is read from the log")
        var chain = node.chain
        _ = chain.take(other)
        #expect(
            node.read(.messages([other]), from: 2, at: 20_200)
                == [.apply([], chain), .read(from: 3)])
        #expect(node.leader == next)
    }

    @Test mutating func aBatchThatTheLogDoesNotTakeIsGivenUp() {
        _ = lead()
        let entry = Self.bytes(node.propose([1], at: 20_000).first)
        let own = Heartbeat(leadership: node.chain.leadership, place: 1)
        #expect(node.tick(at: 30_000) == [.say(own)])
        #expect(node.tick(at: 30_001) == [.rollBack, .read(from: 2)])
        #expect(node.role == .following)
        // It comes after all: then it is applied as anybody's.
        var chain = node.chain
        _ = chain.take(entry)
        #expect(node.read(.messages([entry]), from: 2, at: 31_000).first == .apply([[1]], chain))
        #expect(!node.takesBatch, "the leadership was given up")
    }

    @Test mutating func aLeaderSaysSoWhileItWaitsForTheLog() {
        _ = lead()
        _ = node.propose([1], at: 20_000)
        let own = Heartbeat(leadership: node.chain.leadership, place: 1)
        #expect(node.tick(at: 20_000) == [.say(own)])
        #expect(node.tick(at: 20_100) == [])
        #expect(node.tick(at: 20_200) == [.say(own)])
    }

    @Test mutating func whoHearsALaterLeaderFollowsIt() {
        _ = lead()
        _ = node.propose([1], at: 20_000)
        let later = Leadership(epoch: 2, node: "bo", incarnation: 9)
        #expect(
            node.heard(Heartbeat(leadership: later, place: 4), at: 20_100)
                == [.rollBack, .read(from: 2)])
        #expect(node.leader == later && node.role == .following)
        let earlier = Leadership(epoch: 0, node: "cy", incarnation: 9)
        #expect(node.heard(Heartbeat(leadership: earlier, place: 9), at: 20_200) == [])
        #expect(node.leader == later)
    }

    @Test mutating func aBatchOfWhoDoesNotLeadIsTakenBack() {
        #expect(node.propose([1], at: 0) == [.rollBack])
    }

    /// A message with the longest name and the largest body is just read.
    @Test mutating func aBatchThatNoNodeWouldTakeInIsTakenBack() {
        _ = lead()
        let body = [UInt8](repeating: 1, count: LogMessage.mostBodyBytes)
        #expect(node.propose(body + [1], at: 20_000) == [.rollBack])
        #expect(node.takesBatch, "it goes on")
        let entry = Self.bytes(node.propose(body, at: 20_000).first)
        #expect(entry.count <= LogMessage.mostBytes)
        var chain = node.chain
        #expect(chain.take(entry) == .entry(body))
        let name = String(repeating: "n", count: Leadership.mostNameBytes)
        let longest = LogMessage(
            .entry, logID: 7, previous: .none,
            leadership: Leadership(epoch: 1, node: name, incarnation: 1), body: body)
        #expect(longest.bytes.count <= LogMessage.mostBytes)
    }

    @Test func aNodeHasANameThatItsMessagesCanHave() {
        let most = Leadership.mostNameBytes
        #expect(Self.node(String(repeating: "n", count: most)) != nil)
        #expect(Self.node(String(repeating: "n", count: most + 1)) == nil)
        #expect(Self.node(String(repeating: "ä", count: most / 2 + 1)) == nil)
        #expect(Self.node("") == nil)
    }

    // MARK: Following

    @Test mutating func whoFollowsAppliesWhatCounts() {
        let (chain, messages) = Self.led([1], [2])
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.tick(at: 600) == [], "one reading at a time")
        let noise = [[UInt8(0)]]
        #expect(
            node.read(.messages(messages), from: 1, at: 700)
                == [.apply([[1], [2]], chain), .read(from: 4)])
        var later = chain
        _ = later.take(noise[0])
        #expect(
            node.read(.messages(noise), from: 4, at: 800) == [.apply([], later), .read(from: 5)])
        #expect(node.read(.messages([]), from: 5, at: 900) == [])
        #expect(
            node.read(.messages(messages), from: 1, at: 900) == [], "an answer that comes late")
    }

    @Test mutating func whoHearsALeaderDoesNotAskToLead() {
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.read(.messages([]), from: 1, at: 0) == [])
        for time in stride(from: Int64(900), through: 30_000, by: 900) {
            #expect(node.heard(Heartbeat(leadership: Self.bo, place: 0), at: time) == [])
            let actions = node.tick(at: time)
            #expect(node.role == .following)
            if actions == [.read(from: 1)] { _ = node.read(.messages([]), from: 1, at: time) }
        }
    }

    @Test mutating func aHeartbeatTellsThatThereIsMore() {
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.read(.messages([]), from: 1, at: 0) == [])
        #expect(
            node.heard(Heartbeat(leadership: Self.bo, place: 2), at: 10) == [.read(from: 1)])
        #expect(node.read(.failed, from: 1, at: 20) == [])
        #expect(node.tick(at: 510) == [.read(from: 1)], "again, after a time")
    }

    @Test mutating func aNodeThatTheLogHasLeftBehindTakesASnapshot() {
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.read(.gone, from: 1, at: 0) == [.takeSnapshot(behind: 0)])
        #expect(node.tick(at: 60_000) == [] && node.propose([1], at: 60_000) == [.rollBack])
        let later = Heartbeat(leadership: Self.bo, place: 9)
        #expect(node.heard(later, at: 60_000) == [])
        #expect(node.leader == Self.bo, "it is asked for one")
    }

    /// A server that has just started, or is cut off, may not know of all: so it is asked for a
    /// while.
    @Test mutating func aNodeWhoseLogIsLostForLongLeavesService() throws {
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(node.read(.lost, from: 1, at: 0) == [])
        #expect(node.tick(at: Self.silence) == [.read(from: 1)], "it does not ask to lead")
        #expect(node.read(.messages([]), from: 1, at: Self.silence) == [])
        #expect(node.heard(Heartbeat(leadership: Self.bo, place: 2), at: 29_000).count == 1)
        #expect(node.read(.lost, from: 1, at: 29_000) == [])
        #expect(node.tick(at: 31_000) == [.read(from: 1)])
        #expect(node.read(.lost, from: 1, at: 31_000) == [], "it was there meanwhile")
        #expect(node.tick(at: 60_000) == [.read(from: 1)])
        #expect(node.read(.failed, from: 1, at: 60_000) == [])
        #expect(node.tick(at: 62_000) == [.read(from: 1)])
        #expect(node.read(.lost, from: 1, at: 62_000) == [], "nobody said so meanwhile")
        #expect(node.tick(at: 92_000) == [.read(from: 1)])
        #expect(node.read(.lost, from: 1, at: 92_000) == [.leave])
        let reason = if case .outOfService(let reason) = node.role { reason } else { "" }
        #expect(reason.contains("cluster recover"))
    }

    // MARK: Stepping down

    @Test mutating func whoStepsDownLeavesTheLeadToOthersForAWhile() {
        _ = lead()
        #expect(node.stepDown(at: 20_000) == [.read(from: 2)])
        #expect(node.role == .following && !node.takesBatch)
        #expect(node.read(.messages([]), from: 2, at: 20_000) == [])
        #expect(node.tick(at: 23_900) == [.read(from: 2)], "others have had their chance twice")
        #expect(node.read(.messages([]), from: 2, at: 23_900) == [])
        let stood = node.tick(at: 24_000)
        #expect(!Self.bytes(stood.first).isEmpty, "it stands again")
        #expect(node.stepDown(at: 24_001) == [.read(from: 2)], "of standing, too")
        #expect(node.stepDown(at: 24_002) == [])
    }

    /// What is under way is not lost.
    @Test mutating func whoStepsDownFinishesItsBatch() {
        _ = lead()
        let entry = Self.bytes(node.propose([1], at: 20_000).first)
        #expect(node.stepDown(at: 20_000) == [])
        var chain = node.chain
        _ = chain.take(entry)
        #expect(
            node.looked(at: 2, .message(entry), at: 20_100) == [.commit(chain), .read(from: 3)])
        #expect(node.role == .following)
    }

    @Test mutating func whoCouldNotFinishItsBatchNeedNotStepDownLater() {
        _ = lead()
        _ = node.propose([1], at: 20_000)
        #expect(node.stepDown(at: 20_000) == [])
        #expect(node.fellBack(to: LogChain(logID: 7), at: 20_100) == [.rollBack])
        #expect(node.tick(at: 20_600) == [.read(from: 1)])
        #expect(node.read(.messages([]), from: 1, at: 20_600) == [])
        let lead = Self.bytes(node.tick(at: 40_000).first)
        _ = node.looked(at: 1, .message(lead), at: 40_000)
        let entry = Self.bytes(node.propose([2], at: 40_000).first)
        #expect(node.looked(at: 2, .message(entry), at: 40_000).count == 1)
        #expect(node.takesBatch)
    }

    // MARK: Where files are compared

    /// A transaction of a node that follows ends where files are compared.
    @Test mutating func entriesAreAppliedUpToEachMark() throws {
        node = try #require(
            ClusterNode(
                name: "ana", incarnation: 5, chain: LogChain(logID: 7), seed: 1, placesPerMark: 2,
                at: 0))
        let (end, messages) = Self.led([1], [2], [3], [4])
        var chains = [LogChain(logID: 7)]
        for message in messages {
            var next = chains[chains.count - 1]
            _ = next.take(message)
            chains.append(next)
        }
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(
            node.read(.messages(messages), from: 1, at: 0) == [
                .apply([[1]], chains[2]), .apply([[2], [3]], chains[4]), .apply([[4]], end),
                .read(from: 6),
            ])
    }

    @Test mutating func aNodeWhoseFileIsAnotherTakesACopyOfTheSamePlace() {
        _ = lead()
        _ = node.propose([1], at: 20_000)
        #expect(node.differs("why") == [.rollBack, .takeSnapshot(behind: 0)])
        #expect(node.role == .outOfService("why") && node.differs("again") == [])
    }

    // MARK: Left behind

    @Test mutating func aLeaderThatTheLogHasLeftBehindTakesItsBatchBack() {
        _ = lead()
        _ = node.propose([1], at: 20_000)
        #expect(node.looked(at: 2, .gone, at: 20_000) == [.rollBack, .takeSnapshot(behind: 1)])
    }

    /// It does not know what the message does; the others go on.
    @Test mutating func aLaterVersionEndsTheServiceOfThisNode() {
        let (chain, messages) = Self.led([1])
        var newer = chain.message(.entry, under: Self.bo, body: [2]).bytes
        newer[5] = 2
        #expect(node.tick(at: 0) == [.read(from: 1)])
        #expect(
            node.read(.messages(messages + [newer]), from: 1, at: 0)
                == [.apply([[1]], chain), .leave])
        #expect(node.role == .outOfService("the log has messages of version 2"))
    }

    /// What could not be applied is read again, a little later; what is answered meanwhile is of
    /// another place.
    @Test mutating func whatCouldNotBeAppliedIsReadAgain() throws {
        let (chain, messages) = Self.led([1], [2])
        let start = node.chain
        #expect(node.tick(at: 0) == [.read(from: 1)])
        let taken = node.read(.messages(messages), from: 1, at: 10)
        #expect(taken == [.apply([[1], [2]], chain), .read(from: 4)])
        #expect(node.fellBack(to: start, at: 20) == [])
        #expect(node.role == .following && node.chain == start)
        #expect(node.read(.messages([]), from: 4, at: 30) == [], "of a place that it has left")
        #expect(node.tick(at: 30) == [], "not at once")
        #expect(node.tick(at: 520) == [.read(from: 1)])
        let again = node.read(.messages(messages), from: 1, at: 530)
        #expect(again.first == .apply([[1], [2]], chain))
        _ = node.leaveService("its disk is gone")
        #expect(node.fellBack(to: start, at: 540) == [])
        #expect(node.role == .outOfService("its disk is gone"))
    }
}
