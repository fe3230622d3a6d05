import Testing

@testable import ValetStore

/// Whether a file has what a checkpoint may have moved into it, of logs that are made here.
@Suite struct LogPagesTests {
    private static let pageSize = 512

    /// A page of a log, which is filled with its version.
    private struct Logged {
        let page: UInt8
        let version: UInt8
        var isCommit = false

        var bytes: [UInt8] {
            [0, 0, 0, page, 0, 0, 0, isCommit ? 9 : 0] + Array(repeating: 0, count: 16)
                + Array(repeating: version, count: pageSize)
        }
    }

    private func log(_ pages: [Logged]) throws -> LogPages {
        let header: [UInt8] = [0x37, 0x7F, 0x06, 0x82, 0, 0, 0, 0, 0, 0, 2, 0]
        let bytes = header + Array(repeating: 0, count: 20) + pages.flatMap(\.bytes)
        return try #require(
            LogPages { bytes.count >= $0 + $1 ? Array(bytes[$0..<$0 + $1]) : nil })
    }

    /// Pages that aren't named have version 0.
    private func isLeft(_ log: LogPages, in file: [Int: UInt8], wasKilled: Bool = true) -> Bool {
        log.mayHaveBeenMoved(
            into: { Array(repeating: file[$0 / Self.pageSize + 1] ?? 0, count: $1) },
            wasKilled: wasKilled)
    }

    @Test func aKilledCheckpointHasMovedTheLowest() throws {
        let log = try log([
            Logged(page: 6, version: 1), Logged(page: 2, version: 1, isCommit: true),
        ])
        #expect(isLeft(log, in: [2: 1]))
        #expect(isLeft(log, in: [2: 1, 6: 1]))
        #expect(!isLeft(log, in: [6: 1]), "that comes later")
        #expect(!isLeft(log, in: [:]))
        #expect(!isLeft(log, in: [2: 1], wasKilled: false))
        #expect(isLeft(log, in: [2: 1, 6: 1], wasKilled: false))
    }

    @Test func whatItHasMovedMayBeLoggedAgainSince() throws {
        let log = try log([
            Logged(page: 6, version: 1), Logged(page: 2, version: 1, isCommit: true),
            Logged(page: 2, version: 2), Logged(page: 9, version: 2, isCommit: true),
        ])
        #expect(isLeft(log, in: [2: 1]), "of the first commit")
        #expect(isLeft(log, in: [6: 1]), "page 2 was left out beside a reader")
        #expect(isLeft(log, in: [2: 2]))
        #expect(!isLeft(log, in: [9: 2]), "that comes later")
        #expect(!isLeft(log, in: [2: 7, 6: 7, 9: 7]), "another file")
    }

    /// A log may have any number of pages that are logged again and again.
    @Test func onlyTheLowestPagesAreLookedAt() throws {
        let first = (1...101).map { Logged(page: $0, version: 1, isCommit: $0 == 101) }
        let second = (1...100).map { Logged(page: $0, version: 2, isCommit: $0 == 100) }
        let log = try log(first + second)
        #expect(isLeft(log, in: [64: 1]))
        #expect(!isLeft(log, in: [65: 1]))
    }
}
