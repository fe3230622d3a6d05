import TestSupport
import Testing
import ValetModel

@testable import ValetCluster

@Suite struct LogMessageTests {
    private static let logID: UInt64 = 0x0102_0304_0506_0708
    private static let sample = LogMessage(
        .entry, logID: logID, previous: .none,
        leadership: Leadership(epoch: 3, node: "ana", incarnation: 0xFF), body: [9, 8, 7])

    /// The bytes of a file's log are read by later versions, too.
    @Test func aMessageHasTheseBytes() {
        let expected: [UInt8] =
            Array("valet".utf8) + [1, 2, 1, 2, 3, 4, 5, 6, 7, 8] + Array(repeating: 0, count: 32)
            + [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xFF, 3] + Array("ana".utf8)
            + [9, 8, 7]
        #expect(Self.sample.bytes == expected)
        #expect(LogMessage.read(expected, logID: Self.logID) == .message(Self.sample))
    }

    @Test func messagesOfAnyKindAndNameAreReadBack() {
        for kind in [LogMessage.Kind.lead, .entry, .nothing] {
            for node in ["a", "ä", String(repeating: "n", count: Leadership.mostNameBytes)] {
                let message = LogMessage(
                    kind, logID: 7, previous: MessageHash(of: [1]),
                    leadership: Leadership(epoch: .max, node: node, incarnation: .max), body: [])
                #expect(LogMessage.read(message.bytes, logID: 7) == .message(message))
            }
        }
    }

    /// Whatever somebody else has published is no message, and nothing traps.
    @Test func whatIsCutOrOfOthersIsAStranger() {
        let bytes = Self.sample.bytes
        for count in 0..<bytes.count - Self.sample.body.count {
            #expect(LogMessage.read(Array(bytes.prefix(count)), logID: Self.logID) == .stranger)
        }
        #expect(LogMessage.read(bytes, logID: 1) == .stranger, "another log's")
        var altered = bytes
        altered[0] = 0
        #expect(LogMessage.read(altered, logID: Self.logID) == .stranger)
        altered = bytes
        altered[6] = 4
        #expect(LogMessage.read(altered, logID: Self.logID) == .stranger, "no such kind")
        altered = bytes
        altered[63] = 0
        #expect(LogMessage.read(altered, logID: Self.logID) == .stranger, "no name")
        var long = Self.sample
        for count in [Leadership.mostNameBytes + 1, 255, 256, 10_000] {
            long.leadership.node = String(repeating: "n", count: count)
            #expect(LogMessage.read(long.bytes, logID: Self.logID) == .stranger, "a name too long")
        }
        altered = bytes
        altered[64] = 0xFF
        #expect(LogMessage.read(altered, logID: Self.logID) == .stranger, "no UTF-8")
        altered = bytes
        altered[5] = 0
        #expect(LogMessage.read(altered, logID: Self.logID) == .stranger, "no such version")
        let most = bytes + Array(repeating: 0, count: LogMessage.mostBytes - bytes.count)
        var largest = Self.sample
        largest.body += most.suffix(most.count - bytes.count)
        #expect(LogMessage.read(most, logID: Self.logID) == .message(largest))
        #expect(LogMessage.read(most + [0], logID: Self.logID) == .stranger, "too large")
    }

    @Test func aLaterVersionIsToldFromStrangers() {
        var bytes = Self.sample.bytes
        bytes[5] = 2
        #expect(LogMessage.read(bytes, logID: Self.logID) == .newer(version: 2))
        #expect(LogMessage.read(bytes, logID: 1) == .stranger)
    }

    @Test(arguments: runSeeds(20)) func randomBytesAreRead(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<200 {
            var bytes = Self.sample.bytes
            for _ in 0...numbers.below(3) {
                bytes[numbers.below(bytes.count)] = UInt8(numbers.below(256))
            }
            // One that is read has these bytes.
            if case .message(let message) = LogMessage.read(bytes, logID: Self.logID) {
                #expect(message.bytes == bytes, "VALET_SEED=\(seed)")
            }
        }
    }
}

@Suite struct LogChainTests {
    private static let ana = Leadership(epoch: 1, node: "ana", incarnation: 1)
    private static let bo = Leadership(epoch: 2, node: "bo", incarnation: 1)

    private static func begun() -> LogChain {
        var chain = LogChain(logID: 7)
        #expect(chain.take(chain.message(.lead, under: ana).bytes) == .lead)
        return chain
    }

    @Test func entriesOfTheLeaderCountInTheirOrder() {
        var chain = Self.begun()
        for number in UInt8(1)...3 {
            let message = chain.message(.entry, under: Self.ana, body: [number])
            #expect(chain.take(message.bytes) == .entry([number]))
            #expect(chain.head == MessageHash(of: message.bytes))
        }
        #expect(chain.take(chain.message(.nothing, under: Self.ana).bytes) == .nothing)
        #expect(chain.place == 5 && chain.leadership == Self.ana)
    }

    @Test func theFirstOfTwoThatFollowOneCounts() {
        var chain = Self.begun()
        let (one, other) = (
            chain.message(.entry, under: Self.ana, body: [1]),
            chain.message(.entry, under: Self.ana, body: [2])
        )
        #expect(chain.take(one.bytes) == .entry([1]))
        #expect(chain.take(other.bytes) == .skipped)
        #expect(chain.take(one.bytes) == .skipped, "it is stored twice")
        #expect(chain.place == 4 && chain.head == MessageHash(of: one.bytes))
    }

    @Test func whoIsDeposedAppendsNothing() {
        var chain = Self.begun()
        let late = chain.message(.entry, under: Self.ana, body: [1])
        #expect(chain.take(chain.message(.lead, under: Self.bo).bytes) == .lead)
        #expect(chain.leadership == Self.bo)
        #expect(chain.take(late.bytes) == .skipped)
        // Nor does one that names the right head, or an earlier start of the leader's process.
        #expect(chain.take(chain.message(.entry, under: Self.ana).bytes) == .skipped)
        var restarted = Self.bo
        restarted.incarnation = 2
        #expect(chain.take(chain.message(.entry, under: restarted).bytes) == .skipped)
        #expect(chain.take(chain.message(.entry, under: Self.bo, body: [2]).bytes) == .entry([2]))
    }

    @Test func onlyTheNextEpochBegins() {
        var chain = Self.begun()
        for epoch in [UInt64(0), 1, 3, .max] {
            let lead = Leadership(epoch: epoch, node: "bo", incarnation: 1)
            #expect(chain.take(chain.message(.lead, under: lead).bytes) == .skipped)
        }
        #expect(chain.leadership == Self.ana)
    }

    @Test func strangersArePassedOverAndLaterVersionsAreNot() {
        var chain = Self.begun()
        let head = chain.head
        #expect(chain.take([1, 2, 3]) == .skipped && chain.take([]) == .skipped)
        #expect(chain.place == 3 && chain.head == head)
        var newer = chain.message(.entry, under: Self.ana).bytes
        newer[5] = 9
        #expect(chain.take(newer) == .newer(version: 9))
        #expect(chain.place == 3, "it is not taken in")
    }

    // MARK: What files keep

    @Test func aChainHasTheseBytesInAFile() {
        var chain = LogChain(logID: 0x0102_0304_0506_0708)
        let leadership = Leadership(epoch: 1, node: "ana", incarnation: 0xFF)
        let lead = chain.message(.lead, under: leadership).bytes
        #expect(chain.take(lead) == .lead)
        let expected: [UInt8] =
            [1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1] + MessageHash(of: lead).bytes
            + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF] + Array("ana".utf8)
        #expect(chain.stored == expected)
        #expect(LogChain(stored: expected) == chain)
        let new = LogChain(logID: 7)
        #expect(LogChain(stored: new.stored) == new)
    }

    @Test func whatIsNoChainIsRefused() {
        let new = LogChain(logID: 7).stored
        for count in 0..<new.count { #expect(LogChain(stored: Array(new.prefix(count))) == nil) }
        #expect(LogChain(stored: [2] + new.dropFirst()) == nil, "of a later version")
        #expect(LogChain(stored: new + [0xFF]) == nil, "no UTF-8")
        let long = Array(repeating: UInt8(ascii: "n"), count: Leadership.mostNameBytes + 1)
        #expect(LogChain(stored: new + long) == nil, "a name too long")
    }

    // MARK: What leaders say

    @Test func aHeartbeatHasTheseBytes() {
        let heartbeat = ClusterNode.Heartbeat(
            leadership: Leadership(epoch: 1, node: "ana", incarnation: 0xFF), place: 258)
        let expected: [UInt8] =
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0, 1, 2]
            + Array("ana".utf8)
        #expect(heartbeat.bytes == expected)
        #expect(ClusterNode.Heartbeat(expected) == heartbeat)
        for count in 0...24 {
            #expect(ClusterNode.Heartbeat(Array(expected.prefix(count))) == nil, "no name")
        }
        #expect(ClusterNode.Heartbeat(expected + [0xFF]) == nil, "no UTF-8")
        let long = Array(repeating: UInt8(ascii: "n"), count: Leadership.mostNameBytes)
        #expect(ClusterNode.Heartbeat(expected + long) == nil, "a name too long")
    }
}
