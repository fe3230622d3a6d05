import Foundation
import Testing
import ValetModel

@testable import ValetLoad

@Test(
    arguments: [
        ["nonsense"], ["bench", "--rows", "5"], ["bench", "--rows", "many"],
        ["bench", "--format", "xml"], ["bench", "--only", "nothing"], ["generate"],
        ["generate", "file"], ["generate", "--rows", "5"], ["generate", "--rows", "-5", "file"],
        ["generate", "--rows=-5", "file"], ["generate", "--rows", "many", "file"],
        ["generate", "--rows", "5", "--seed", "-1", "file"],
        ["generate", "--rows", "5000000000", "file"], ["crash", "--kills", "0"],
        ["attack"], ["attack", "file", "--attack", "bombs"], ["attack", "file", "--rate", "0"],
        ["run"], ["run", "scroll"], ["run", "dance", "file"], ["run", "scroll", "http://a"],
        ["run", "idle", "file", "--clients", "10000"], ["run", "jump", "file", "--clients", "0"],
        ["run", "jump", "file", "--seconds", "nan"], ["run", "jump", "file", "--rate", "0"],
        ["run", "jump", "file", "--seconds", "-1"], ["run", "jump", "file", "--warm-up", "inf"],
    ])
func wrongUseEndsWithTwo(_ arguments: [String]) async {
    #expect(await LoadProgram.run(arguments) == 2)
}

@Test(arguments: [["--help"], ["help", "bench"], ["bench", "--help"], ["run", "--help"]])
func helpIsNoError(_ arguments: [String]) async {
    #expect(await LoadProgram.run(arguments) == 0)
}

@Test func anErrorOfOursHasItsOwnStatus() async throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("cars.sqlite")
    #expect(await LoadProgram.run(["generate", "--rows", "3", file]) == 0)
    #expect(await LoadProgram.run(["generate", "--rows", "3", file]) == 7)
}

@Test func saysWhatItCannotReachOrRead() async throws {
    let scratch = try ScratchDirectory()
    let none = scratch.file("none.sqlite")
    #expect(await LoadProgram.run(["run", "jump", none]) == 3)
    #expect(await LoadProgram.run(["bench", "--file", none]) == 3)
    #expect(await LoadProgram.run(["bench", "--also", none]) == 3)
    let address = "valet://127.0.0.1:1"
    #expect(await LoadProgram.run(["run", "jump", address, "--truth", none]) == 3)
    // Nobody listens on port 1 of this machine.
    #expect(await LoadProgram.run(["run", "jump", address]) == 6)
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

@Test func processesAndFoldersGoWhenTheProcessEnds() throws {
    let cleanup = ExitCleanup()
    let path = NSTemporaryDirectory() + "/valet-cleanup-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    cleanup.add(folder: path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["60"]
    try process.run()
    cleanup.add(process: process.processIdentifier)
    cleanup.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(!FileManager.default.fileExists(atPath: path))
}
