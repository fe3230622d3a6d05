import Foundation
import Testing
import ValetModel

@testable import ValetLoad

@Test(
    arguments: [
        ["nonsense"], ["bench", "--rows", "5"], ["bench", "--rows", "many"],
        ["bench", "--format", "xml"], ["generate"], ["generate", "--rows", "-1", "file"],
    ])
func wrongUseEndsWithTwo(_ arguments: [String]) async {
    #expect(await LoadProgram.run(arguments) == 2)
}

@Test(arguments: [["--help"], ["help", "bench"], ["bench", "--help"]])
func helpIsNoError(_ arguments: [String]) async {
    #expect(await LoadProgram.run(arguments) == 0)
}

@Test func anErrorOfOursHasItsOwnStatus() async throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("cars.sqlite")
    #expect(await LoadProgram.run(["generate", "--rows", "3", file]) == 0)
    #expect(await LoadProgram.run(["generate", "--rows", "3", file]) == 7)
}

@Test func scratchIsGoneWithItsOwner() throws {
    let path: String
    do {
        let scratch = try ScratchDirectory()
        path = scratch.path
        #expect(FileManager.default.createFile(atPath: scratch.file("a"), contents: nil))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
}

@Test func leavingsGoWhenTheProcessDoes() throws {
    let leavings = Leavings()
    let path = NSTemporaryDirectory() + "/valet-leavings-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    leavings.add(folder: path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["60"]
    try process.run()
    leavings.add(process: process.processIdentifier)
    leavings.clear()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(!FileManager.default.fileExists(atPath: path))
}
