import Foundation
import TestSupport
import Testing

/// A file system of 4 MB in memory, which only its own processes see: it is gone with the last of
/// them.
private final class SmallDisk {
    private static let mount = "mount -t tmpfs -o size=4m tmpfs"
    let folder: String
    private let space: Namespace

    static let isPossible: Bool = {
        let scratch = Scratch()
        let tried = try? scratch.shell("unshare --mount \(mount) '\(scratch.folder.path)'")
        return tried?.code == 0
    }()

    init(in scratch: Scratch) throws {
        folder = scratch.path("disk")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        space = try Namespace("mount", in: scratch)
        try shell("\(Self.mount) '\(folder)'")
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Runs a line of a shell to its end, where the disk is seen.
    @discardableResult
    func shell(_ line: String) throws -> Finished { try space.shell(line) }

    func start(_ program: Program, _ arguments: [String]) throws -> RunningProcess {
        try space.start(program, arguments)
    }

    func fill() throws {
        // It ends at the first byte that finds no room.
        #expect(try shell("cat /dev/zero > \(path("filler"))").code == 1)
    }

    func makeRoom() throws { #expect(try shell("rm \(path("filler"))").code == 0) }
}

/// A file system without room: edits are refused in words, reads go on, and what was acknowledged
/// stays.
@Suite(
    .runsPrograms,
    .enabled(if: SmallDisk.isPossible, "needs the rights to mount: run it as root on Linux"))
struct FullDiskTests {
    private let scratch = Scratch()

    @Test func editsAreRefusedUntilThereIsRoomAndReadsGoOn() throws {
        let disk = try SmallDisk(in: scratch)
        let file = disk.path("test.sqlite")
        #expect(try disk.shell("cp '\(scratch.cars())' '\(file)'").code == 0)
        var server = try disk.start(.valetd, ["serve", file, "--listen", "127.0.0.1:0"])
        defer { server.end() }
        var address = try server.address
        var names = 0
        func add() throws -> Finished {
            let done = try scratch.valet(["add", address, "name=Car \(names)"])
            if done.code == 0 { names += 1 }
            return done
        }
        func addWithRoom() throws {
            let done = try add()
            #expect(done.code == 0, "\(done.message)")
        }
        // The log may have some room of its own.
        func addWithoutRoom() throws {
            var refused: Finished?
            for _ in 0..<50 where refused == nil {
                let done = try add()
                if done.code != 0 { refused = done }
            }
            #expect(refused?.code == 1)
            #expect(refused?.message.contains("the disk is full") == true)
        }
        func reads() throws {
            try scratch.valet(["count", address], expecting: 0, prints: "\(300 + names)\n")
            try scratch.valet(["rows", address, "--format", "csv"], expecting: 0, shows: "alpha")
        }

        try addWithRoom()
        for _ in 0..<2 {
            try disk.fill()
            try addWithoutRoom()
            try reads()
            try disk.makeRoom()
            for _ in 0..<3 { try addWithRoom() }
            try reads()
        }

        // Each time once, whatever succeeds in between and changes nothing.
        let log = String(decoding: try server.words, as: UTF8.self)
        for words in ["changes can't be stored", "changes are stored again"] {
            #expect(log.ranges(of: words).count == 2, "\(log)")
        }

        // Servers that end and start without room.
        for (signal, code) in [(SIGTERM, 0), (SIGKILL, 128 + SIGKILL)] {
            try disk.fill()
            server.send(signal)
            #expect(try server.waitForEnd() == code)
            server = try disk.start(.valetd, ["serve", file, "--listen", "127.0.0.1:0"])
            address = try server.address
            try reads()
            try addWithoutRoom()
            try disk.makeRoom()
            try addWithRoom()
            try reads()
        }

        server.send(SIGTERM)
        #expect(try server.waitForEnd() == 0)
        let copy = scratch.path("copy.sqlite")
        #expect(try disk.shell("cp '\(file)' '\(copy)'").code == 0)
        let all = "SELECT count(*) FROM cars WHERE name LIKE 'Car %'"
        #expect(try TemporaryFolder.number(copy, all) == Int64(names))
        let wrong = "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"
        #expect(try TemporaryFolder.number(copy, wrong) == 0)
    }

    @Test func aBackupThatFindsNoRoomGoesOnWhenThereIsSome() throws {
        let disk = try SmallDisk(in: scratch)
        let daemon = try Daemon(try scratch.cars(), in: scratch)
        let backup = ["backup", daemon.address, disk.path("copy.sqlite")]
        try disk.fill()
        let done = try disk.start(.valet, backup).finish()
        #expect(done.code == 1 && done.message.contains("the disk is full"), "\(done.message)")
        #expect(try disk.shell("test -e '\(backup[2])'").code == 1)
        try disk.makeRoom()
        #expect(try disk.start(.valet, backup).finish().code == 0)
        #expect(try disk.start(.valet, ["count", backup[2]]).finish().text == "300\n")
        #expect(try daemon.end() == 0)
    }
}
