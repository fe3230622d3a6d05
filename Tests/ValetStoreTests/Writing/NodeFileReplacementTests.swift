import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A copy of another node's file takes the place of a node's own.
@Suite struct NodeFileReplacementTests {
    private let folder = TemporaryFolder()
    private let path: String
    private let copy: String

    init() throws {
        path = try folder.database(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'old')")
        try NodeMark.make(inFile: path, [1, 2], at: 1)
        copy = NodeFile.copy(ofOther: path)
        try Connection(path: path).copy(to: copy)
        try TemporaryFolder.change(copy, "UPDATE t SET a = 'new'")
    }

    private func text(_ path: String) throws -> String? {
        let statement = try Connection(path: path).prepare("SELECT a FROM t")
        return try statement.step() ? statement.text(0) : nil
    }

    @Test func theFileIsTheCopyAndTheOneOfBeforeStays() throws {
        try NodeFile.replaceByCopy(path)
        #expect(try text(path) == "new" && text(path + "-before") == "old")
        #expect(!FileManager.default.fileExists(atPath: copy))
        // The next one takes the place of what is kept.
        try Connection(path: path).copy(to: copy)
        try TemporaryFolder.change(copy, "UPDATE t SET a = 'newer'")
        try NodeFile.replaceByCopy(path)
        #expect(try text(path) == "newer" && text(path + "-before") == "new")
    }

    /// What is in the log of the file of before is not taken for that of the new one.
    @Test func nothingOfTheOldLogIsInTheNewFile() throws {
        let other = try Connection(path: path, access: .write)
        try other.run("UPDATE t SET a = 'in the log'")
        let isBusy = #expect(throws: ValetError.self) { try NodeFile.replaceByCopy(path) }
        #expect(isBusy?.code == .busy)
        #expect(try text(path) == "in the log" && text(copy) == "new")
        withExtendedLifetime(other) {}
    }

    @Test func withoutACopyNothingIsReplaced() throws {
        CopiedFile.remove(copy)
        #expect(throws: ValetError.self) { try NodeFile.replaceByCopy(path) }
        #expect(try text(path) == "old")
    }
}
