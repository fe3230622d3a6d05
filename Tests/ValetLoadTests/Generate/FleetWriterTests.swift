import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetCommands
@testable import ValetLoad
@testable import ValetStore

private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

private func bytes(_ path: String) -> Data? {
    FileManager.default.contents(atPath: path)
}

private func write(_ rows: Int, seed: UInt64 = 1, to path: String, replacing: Bool = false) throws {
    try FleetWriter(fleet: Fleet(seed: seed), rows: rows).write(to: path, replacing: replacing)
}

@Test func theSameFleetMakesTheSameFile() throws {
    let scratch = TemporaryFolder()
    try write(3_000, seed: 9, to: scratch.file("a"))
    try write(3_000, seed: 9, to: scratch.file("b"))
    try write(3_000, seed: 10, to: scratch.file("c"))
    #expect(bytes(scratch.file("a")) != nil)
    #expect(bytes(scratch.file("a")) == bytes(scratch.file("b")))
    #expect(bytes(scratch.file("a")) != bytes(scratch.file("c")))
    #expect(try names(in: scratch) == ["a", "b", "c"])
}

@Test(arguments: [0, 500])
func theRowsOfTheTableAreTheFleet(_ count: Int) throws {
    let scratch = TemporaryFolder()
    try write(count, seed: 4, to: scratch.file("cars.sqlite"))
    let connection = try Connection(path: scratch.file("cars.sqlite"))
    let rows = try connection.prepare("SELECT rowid, * FROM cars ORDER BY rowid")
    let fleet = Fleet(seed: 4)
    var index = 0
    while try rows.step() {
        let cells = (1...7).map { rows.cell($0, limit: Limits.bytesPerValue) }
        #expect(cells == fleet.car(at: index).values.map(\.value))
        index += 1
        #expect(rows.integer(0) == Int64(index))
    }
    #expect(index == count)
}

@Test func progressEndsWithAllRows() throws {
    let scratch = TemporaryFolder()
    var heard: [Int] = []
    try FleetWriter(fleet: Fleet(seed: 1), rows: 10_000)
        .write(to: scratch.file("cars.sqlite"), replacing: false) { heard.append($0) }
    #expect(heard == [4_096, 8_192, 10_000])
}

// MARK: Files that are there

@Test func aFileThatIsThereStaysUnlessItIsToBeReplaced() throws {
    let scratch = TemporaryFolder()
    try Data("mine".utf8).write(to: URL(filePath: scratch.file("cars.sqlite")))
    let error = #expect(throws: ValetError.self) { try write(10, to: scratch.file("cars.sqlite")) }
    #expect(error?.code == .notAllowed)
    #expect(error?.message.contains("--force") == true)
    #expect(bytes(scratch.file("cars.sqlite")) == Data("mine".utf8))

    try write(10, to: scratch.file("cars.sqlite"), replacing: true)
    _ = try Connection(path: scratch.file("cars.sqlite"))
}

@Test func anInterruptedRunLeavesNoObstacle() throws {
    let scratch = TemporaryFolder()
    for name in ["cars.sqlite.unfinished", "cars.sqlite.unfinished-journal"] {
        try Data("half a table".utf8).write(to: URL(filePath: scratch.file(name)))
    }
    try write(10, to: scratch.file("cars.sqlite"))
    #expect(try names(in: scratch) == ["cars.sqlite"])
}

@Test func theJournalsOfAReplacedFileGoWithIt() throws {
    let scratch = TemporaryFolder()
    for name in ["cars.sqlite", "cars.sqlite-wal", "cars.sqlite-shm"] {
        try Data("old".utf8).write(to: URL(filePath: scratch.file(name)))
    }
    try write(10, to: scratch.file("cars.sqlite"), replacing: true)
    #expect(try names(in: scratch) == ["cars.sqlite"])
}

@Test func aFolderIsNeverReplaced() throws {
    let scratch = TemporaryFolder()
    #expect(throws: ValetError.self) { try write(10, to: scratch.path, replacing: true) }
    #expect(throws: ValetError.self) { try write(10, to: scratch.file("none/cars.sqlite")) }
    #expect(try names(in: scratch) == [])
}

// MARK: The command

@Test func theCommandTakesWhatItsHelpSays() throws {
    let scratch = TemporaryFolder()
    let arguments = ["--rows", "20", "--seed", "3", scratch.file("cars.sqlite")]
    let command = try GenerateCommand.parse(arguments)
    try command.run()
    try write(20, seed: 3, to: scratch.file("same"))
    #expect(bytes(scratch.file("cars.sqlite")) == bytes(scratch.file("same")))
    #expect(throws: ValetError.self) { try command.run() }
    try GenerateCommand.parse(arguments + ["--force"]).run()
}

@Test func progressSaysHowFar() {
    #expect(FleetWriter.progress(1_204_000, of: 10_000_000) == "1,204,000 of 10,000,000 cars  12%")
    #expect(FleetWriter.progress(999, of: 1_000) == "999 of 1,000 cars  99%")
    #expect(FleetWriter.progress(0, of: 0) == "0 of 0 cars  100%")
}
