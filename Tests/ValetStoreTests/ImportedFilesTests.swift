import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct ImportedFilesTests {
    private let folder = TemporaryFolder()

    private func write(_ text: String, to name: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private func cache(_ name: String = "cache") throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func tables(of imported: ImportedFiles) throws -> [String] {
        try Database(path: imported.databasePath).catalog.lists.map(\.name)
    }

    @Test func eachFileIsATable() throws {
        let paths = [
            try write("a,b\n1,2\n", to: "cars.csv"), try write("a\tb\n1\t2\n", to: "Cars.tsv"),
            try write("x;y\n1;2\n", to: "other.csv"),
        ]
        let imported = try ImportedFiles(paths, in: cache())
        let catalog = try Database(path: imported.databasePath).catalog
        #expect(Set(catalog.lists.map(\.name)) == ["cars", "Cars 2", "other"])
        #expect(catalog.lists.allSatisfy { $0.columns.count == 2 })
    }

    @Test func filesThatDidNotChangeAreNotImportedAgain() throws {
        let path = try write("a\n1\n", to: "f.csv")
        let first = try ImportedFiles([path], in: cache())
        let before = FilePath.stamp(of: first.databasePath)
        var reads = 0
        let second = try ImportedFiles([path], in: cache(), progress: { _, _, _ in reads += 1 })
        #expect(second.databasePath == first.databasePath && reads == 0)
        // That it is used again does not look like a change.
        #expect(FilePath.stamp(of: first.databasePath) == before)
        _ = try write("a\n1\n2\n", to: "f.csv")
        let third = try ImportedFiles([path], in: cache())
        #expect(third.databasePath != first.databasePath)
    }

    @Test func aBadFileLeavesNothingBehind() throws {
        let good = try write("a\n1\n", to: "good.csv")
        let bad = try write("a,b\n1\n", to: "bad.csv")
        #expect(throws: ValetError.self) { _ = try ImportedFiles([good, bad], in: cache()) }
        #expect(FilePath.entries(of: try cache()) == [])
    }

    @Test func theLastOnesUsedAreKeptAndThoseInUse() throws {
        let used = try ImportedFiles([write("a\n1\n", to: "used.csv")], in: cache())
        var kept: String?
        for number in 0..<3 {
            let imported = try ImportedFiles([write("a\n1\n", to: "\(number).csv")], in: cache())
            kept = imported.databasePath
        }
        for (number, name) in FilePath.entries(of: try cache()).enumerated() {
            let path = try cache() + "/" + name
            guard path != kept else { continue }
            let longAgo = timespec(tv_sec: number, tv_nsec: 0)
            utimensat(AT_FDCWD, path, [longAgo, longAgo], 0)
        }
        ImportedFiles.makeRoom(in: try cache(), files: 1, bytes: 1 << 30)
        let left = FilePath.entries(of: try cache()).map { (try? cache() + "/" + $0) ?? "" }
        #expect(Set(left) == [used.databasePath, kept])
        ImportedFiles.makeRoom(in: try cache(), files: 10, bytes: 0)
        #expect(FilePath.entries(of: try cache()).count == 1)
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
