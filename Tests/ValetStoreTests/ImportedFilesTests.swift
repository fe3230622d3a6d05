import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct ImportedFilesTests {
    private let folder = TemporaryFolder()

    private func cache() throws -> String {
        let path = folder.file("cache")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func eachFileIsATable() throws {
        let paths = [
            folder.write("a,b\n1,2\n", to: "cars.csv"),
            folder.write("a\tb\n1\t2\n", to: "Cars.tsv"),
            folder.write("x;y\n1;2\n", to: "other.csv"),
        ]
        let imported = try ImportedFiles(paths, in: cache())
        let catalog = try Database(path: imported.databasePath).catalog
        #expect(Set(catalog.lists.map(\.name)) == ["cars", "Cars 2", "other"])
        #expect(catalog.lists.allSatisfy { $0.columns.count == 2 })
    }

    @Test func filesThatDidNotChangeAreNotImportedAgain() throws {
        let path = folder.write("a\n1\n", to: "f.csv")
        let first = try ImportedFiles([path], in: cache())
        let before = FilePath.stamp(of: first.databasePath)
        var reads = 0
        let second = try ImportedFiles([path], in: cache(), progress: { _, _, _ in reads += 1 })
        #expect(second.databasePath == first.databasePath && reads == 0)
        // That it is used again does not look like a change.
        #expect(FilePath.stamp(of: first.databasePath) == before)
        _ = folder.write("a\n1\n2\n", to: "f.csv")
        let third = try ImportedFiles([path], in: cache())
        #expect(third.databasePath != first.databasePath)
    }

    /// Also if its size and time of writing are what they were.
    @Test func aFileThatWasWrittenAnewIsAnother() throws {
        let path = folder.write("a\n1\n", to: "f.csv")
        let longAgo = timespec(tv_sec: 1_000, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [longAgo, longAgo], 0)
        let first = try ImportedFiles([path], in: cache())
        #expect(first.areUnchanged)
        try Data("a\n2\n".utf8).write(to: URL(filePath: path))
        utimensat(AT_FDCWD, path, [longAgo, longAgo], 0)
        #expect(!first.areUnchanged)
        let second = try ImportedFiles([path], in: cache())
        #expect(second.databasePath != first.databasePath && second.areUnchanged)
        try FileManager.default.removeItem(atPath: path)
        #expect(!second.areUnchanged)
    }

    @Test func aBadFileLeavesNothingBehind() throws {
        let good = folder.write("a\n1\n", to: "good.csv")
        let bad = folder.write("a,b\n1,\"2\"x\n", to: "bad.csv")
        #expect(throws: ValetError.self) { _ = try ImportedFiles([good, bad], in: cache()) }
        #expect(FilePath.entries(of: try cache()) == [])
    }

    @Test func whatWasMendedIsToldEachTime() throws {
        let paths = [folder.write("a,b\n1\n", to: "f.csv"), folder.write("a\n1\n", to: "g.csv")]
        let notes = ["f: line 2 has fewer fields than the header: the rest is empty"]
        #expect(try ImportedFiles(paths, in: cache()).notes == notes)
        #expect(try ImportedFiles(paths, in: cache()).notes == notes)
        #expect(try ImportedFiles([paths[1]], in: cache()).notes == [])
    }

    @Test func theLastOnesUsedAreKeptAndThoseInUse() throws {
        let used = try ImportedFiles([folder.write("a\n1\n", to: "used.csv")], in: cache())
        var kept: String?
        for number in 0..<3 {
            let imported = try ImportedFiles(
                [folder.write("a\n1\n", to: "\(number).csv")], in: cache())
            kept = imported.databasePath
        }
        let cache = try cache()
        func files() -> [String] { FilePath.entries(of: cache).map { cache + "/" + $0 } }
        for (number, path) in files().enumerated() where path != kept {
            let longAgo = timespec(tv_sec: number, tv_nsec: 0)
            utimensat(AT_FDCWD, path, [longAgo, longAgo], 0)
        }
        ImportedFiles.makeRoom(in: cache, files: 1, bytes: 1 << 30)
        #expect(Set(files()) == [used.databasePath, kept])
        ImportedFiles.makeRoom(in: cache, files: 10, bytes: 0)
        #expect(files().count == 1)
        withExtendedLifetime(used) {}
    }

    @Test(arguments: [
        ("a,b\tc", "x.csv", ","), ("a;b\tc", "x.csv", "\t"), ("a;b", "x", ";"), ("a", "x", ","),
        ("\"a,b\";c", "x.csv", ";"), ("a;b\n1,2", "x.csv", ";"), ("a,b", "x.TSV", "\t"),
    ])
    func theHeaderTellsTheSeparator(beginning: String, file: String, separator: String) {
        let found = CSVSeparator.found(in: beginning.utf8, ofFile: file)
        #expect(found == separator.utf8.first)
    }
}
