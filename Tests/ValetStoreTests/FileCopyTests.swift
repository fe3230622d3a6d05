import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct FileCopyTests {
    private let folder = TemporaryFolder()
    private var copyPath: String { folder.file("copy.db") }

    /// A file of some hundred pages, in which the sum of `n` is always 0.
    private func balanced() throws -> String {
        try folder.database(
            """
            PRAGMA journal_mode=WAL;
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, filler BLOB);
            \(numbers(to: 2_000)) INSERT INTO t (n, filler) SELECT 0, zeroblob(400) FROM n
            """)
    }

    /// Moves an amount from one of the rows to another.
    private func move(_ amount: Int, on connection: Connection) throws {
        try connection.run(
            """
            BEGIN; UPDATE t SET n = n - \(amount) WHERE id = \(1 + amount * 37 % 2_000);
            UPDATE t SET n = n + \(amount) WHERE id = \(2_000 - amount * 91 % 2_000); COMMIT
            """)
    }

    private func sums(of path: String) throws -> (sum: Int64, moved: Int64) {
        let connection = try Connection(path: path, access: .readAlone)
        return (
            try connection.integer("SELECT sum(n) FROM t"),
            try connection.integer("SELECT sum(n) FROM t WHERE n > 0")
        )
    }

    @Test func whatItsConnectionCommitsGoesIntoIt() throws {
        let path = try balanced()
        let source = try Connection(path: path, access: .write)
        let copy = try FileCopy(of: source, to: copyPath)
        var amount = 0
        while try !copy.step(pages: 3) {
            amount += 1
            try move(amount, on: source)
        }
        #expect(amount > 50 && copy.restarts == 0)
        let (sum, moved) = try sums(of: copyPath)
        #expect(sum == 0)
        #expect(try moved == source.integer("SELECT sum(n) FROM t WHERE n > 0"))
        try CopiedFile(copyPath).check()
    }

    @Test func whatAnotherConnectionCommitsMakesItBeginAgain() throws {
        let path = try balanced()
        let (source, other) = (
            try Connection(path: path, access: .write), try Connection(path: path, access: .write)
        )
        let copy = try FileCopy(of: source, to: copyPath)
        for amount in 1...3 {
            for _ in 0..<20 { #expect(try !copy.step(pages: 3)) }
            try move(amount, on: other)
        }
        while try !copy.step(pages: 3) {}
        #expect(copy.restarts == 3)
        #expect(try sums(of: copyPath) == (0, 6))
    }

    @Test func aReadTransactionIsCopiedAsItBegan() throws {
        let path = try balanced()
        let (source, other) = (
            try Connection(path: path), try Connection(path: path, access: .write)
        )
        var asked = 0
        try source.copy(to: copyPath) {
            asked += 1
            try? move(asked, on: other)
            return false
        }
        #expect(asked > 2)
        #expect(try sums(of: copyPath) == (0, 0))
        let stopped = failure { try source.copy(to: folder.file("other.db")) { true } }
        #expect(stopped?.code == .superseded)
    }

    @Test func aCopyThatIsDamagedIsFound() throws {
        let path = try balanced()
        try Connection(path: path).copy(to: copyPath)
        try CopiedFile(copyPath).check()
        try write([UInt8](repeating: 0xA5, count: 300), at: 40 * 4_096 + 4, to: copyPath)
        #expect(failure { try CopiedFile(copyPath).check() }?.code == .storageFailed)
        #expect(failure { try CopiedFile(copyPath).check { true } }?.code == .superseded)
        folder.write("not a database, but as long as a page of one", to: "text.db")
        #expect(failure { try CopiedFile(folder.file("text.db")) }?.code == .storageFailed)
        #expect(failure { try CopiedFile(folder.file("none.db")) }?.code == .storageFailed)
    }

    @Test func aCopyOfALaterVersionIsNotTaken() throws {
        let file = try WrittenDatabase(makes: "Zonda", in: folder)
        let copy = try #require(try file.writer?.beginCopy(to: copyPath))
        try file.send(.insert([.text("Fiat")]))
        while try !copy.step() {}
        #expect(try CopiedFile(copyPath).revision == 2)
        let connection = try Connection(path: copyPath, access: .write)
        try connection.run("UPDATE _valet_state SET format = \(WrittenFile.format + 1)")
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(failure { try CopiedFile(copyPath) }?.code == .readOnly)
    }
}

@Suite struct OpenedFileTests {
    private let folder = TemporaryFolder()

    @Test func bytesAreWhereTheyWereWritten() throws {
        let file = try OpenedFile(folder.file("f"), creates: true)
        try file.write([1, 2, 3], at: 5)
        #expect(try file.read(0..<100) == [0, 0, 0, 0, 0, 1, 2, 3])
        #expect(try file.read(6..<7) == [2] && file.read(8..<9).isEmpty)
        #expect(file.byteCount == 8)
        #expect(try file.digest() == OpenedFile.digest(of: [0, 0, 0, 0, 0, 1, 2, 3]))
        try file.resize(to: 6)
        #expect(try file.read(0..<100) == [0, 0, 0, 0, 0, 1])
        #expect(file.lock())
        let other = try OpenedFile(folder.file("f"), creates: true)
        #expect(!other.lock())
        #expect(failure { try OpenedFile(folder.file("none")) }?.code == .storageFailed)
        #expect(failure { try other.digest { true } }?.code == .superseded)
    }

    @Test func aFullDiskIsSaid() throws {
        let file = try OpenedFile("/dev/full", creates: true)
        let error = failure { try file.write([1], at: 0) }
        #expect(error?.message.contains("the disk is full") == true, "\(error?.message ?? "")")
    }
}
