import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Long values, piece by piece.
@Suite struct ReadAheadTests {
    private static let piece = 48 << 10

    /// How many times a value is read that nobody changes.
    @Test(arguments: [1, 10, 20, 40]) func readsGrowWithTheLogarithmAndThenLinearly(
        _ megabytes: Int
    ) {
        let (ahead, size) = (ReadAhead(), megabytes << 20)
        let value = ReadAhead.Value(list: 0, rowID: 1, column: 0)
        var (offset, reads, walked) = (0, 0, 0)
        while offset < size {
            if let known = ahead.piece(of: value, at: 1, offset: offset, count: Self.piece) {
                offset += known.bytes.count
                continue
            }
            let length = ahead.length(of: value, at: 1, offset: offset, count: Self.piece)
            let count = min(length, size - offset)
            reads += 1
            walked += offset + count
            ahead.keep([UInt8](repeating: 0, count: count), at: offset, of: value, size, at: 1)
            offset += min(count, Self.piece)
        }
        #expect(reads <= 9 + size / Limits.bytesReadAhead)
        // Half a gigabyte at most, where each piece walked from the beginning: 16 for 40 MB.
        #expect(walked <= 512 << 20)
    }

    @Test func piecesAreTheValueAlsoIfItIsChangedBetween() throws {
        let folder = TemporaryFolder()
        let size = 2_000_000
        let path = try folder.database(
            "CREATE TABLE t (a BLOB); INSERT INTO t VALUES (randomblob(\(size)))")
        let database = try Database(path: path)
        let readers = [try database.makeReader(), try database.makeReader()]
        func whole(_ between: (Int) throws -> Void = { _ in }) throws -> [UInt8] {
            var (bytes, turn): ([UInt8], Int) = ([], 0)
            while bytes.count < size {
                let piece = try #require(
                    try readers[turn % 2].piece(
                        list: 0, id: 1, column: 0, offset: bytes.count, count: Self.piece))
                #expect(piece.byteCount == size)
                bytes += piece.bytes
                turn += 1
                try between(turn)
            }
            return bytes
        }
        let first = try whole()
        #expect(first == (try stored(path)))
        // Nothing of the old value comes after the change.
        let mixed = try whole { turn in
            if turn == 20 { try TemporaryFolder.change(path, "UPDATE t SET a = zeroblob(\(size))") }
        }
        #expect(mixed.prefix(20 * Self.piece) == first.prefix(20 * Self.piece))
        #expect(mixed.dropFirst(20 * Self.piece).allSatisfy { $0 == 0 })
    }

    /// What was read in a transaction is of its revision, and is not given out under a later one.
    @Test func rowsReadBeforeAChangeAreNotKeptForItsRevision() throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            "PRAGMA journal_mode=WAL;"
                + "CREATE TABLE t (a BLOB); INSERT INTO t VALUES (randomblob(200000))")
        let reader = try Database(path: path).makeReader()
        func piece(at revision: UInt64) throws(ValetError) -> [UInt8]? {
            try reader.piece(
                list: 0, id: 1, column: 0, offset: 0, count: Self.piece, at: revision)?.bytes
        }
        let first = try stored(path)
        let before = try reader.reading(list: 0) { revision throws(ValetError) in
            #expect(throws: Never.self) {
                try TemporaryFolder.change(path, "UPDATE t SET a = zeroblob(200000)")
            }
            #expect(try piece(at: revision) == Array(first.prefix(Self.piece)))
            return revision
        }
        let (after, bytes) = try reader.reading(list: 0) { revision throws(ValetError) in
            (revision, try piece(at: revision))
        }
        #expect(after > before && bytes == Array(repeating: 0, count: Self.piece))
    }

    private func stored(_ path: String) throws -> [UInt8] {
        let statement = try Connection(path: path).prepare("SELECT a FROM t")
        _ = try statement.step()
        return statement.byteArray(0)
    }

    @Test func valuesReadAheadAreBounded() {
        let ahead = ReadAhead()
        func value(_ row: Int64) -> ReadAhead.Value { .init(list: 0, rowID: row, column: 0) }
        for row in 1...Int64(Limits.valuesReadAhead) + 1 {
            ahead.keep([1, 2, 3], at: 0, of: value(row), 9, at: 1)
        }
        func isKept(_ row: Int64, at revision: UInt64 = 1) -> Bool {
            ahead.piece(of: value(row), at: revision, offset: 1, count: 2) != nil
        }
        #expect(!isKept(1) && isKept(2) && !isKept(2, at: 2))
    }
}
