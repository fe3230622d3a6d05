import Foundation
import TestSupport
import Testing

/// Commands say what was meant.
@Suite(.runsPrograms) struct MeantTests {
    private let scratch = Scratch()

    @Test func aFilesNameNamesItsTable() throws {
        let file = try scratch.write("name,n\na,1\n", to: "my cars.csv")
        let path = scratch.path("some.sqlite")
        try scratch.valet(["import", file, path], expecting: 0, says: "1 row into “my cars”")
        try scratch.valet(["count", path, "--list", "my cars"], expecting: 0, prints: "1\n")
        try scratch.valet(["import", "-", path], expecting: 2, says: "name the table with --table")
    }

    @Test func withSettingsThatCannotBeReadOnlyReadingGoesOn() throws {
        let path = try scratch.database(table: "t", csv: "a\n1\n")
        try FileManager.default.createDirectory(
            atPath: scratch.path(".config/valet"), withIntermediateDirectories: true)
        try scratch.write("colour: never\n", to: ".config/valet/config.yaml")
        let mistake = "line 1: colour: is not a known key; perhaps “color” is meant"
        try scratch.valet(["count", path], expecting: 0, prints: "1\n", says: mistake)
        try scratch.valet(["count", path], says: "valet: reading goes on without settings\n")
        try scratch.valet(["add", path, "a=2"], expecting: 1, prints: "", says: mistake)
        try scratch.valet(["count", path, "--as", "ana"], expecting: 0, prints: "1\n")
        try scratch.valet(["add", path, "a=2", "--as", "ana"], expecting: 0)
    }

    @Test(arguments: [["--lst", "t"], ["--lst"]])
    func anUnknownOptionIsSaidBeforeWhatStandsBehindIt(options: [String]) throws {
        let path = try scratch.database(table: "t", csv: "a\n1\n")
        try scratch.valet([path] + options, expecting: 2, says: "Did you mean '--list'?")
        try scratch.valet([path, "t"], expecting: 2, says: "Only CSV files can be opened together")
    }
}
