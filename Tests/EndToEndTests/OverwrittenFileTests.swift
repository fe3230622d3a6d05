import Foundation
import TestSupport
import Testing
import ValetStore

/// A file that is overwritten where it is, or loses its index, while another program has it open.
@Suite(.runsPrograms) struct OverwrittenFileTests {
    private let scratch = Scratch()

    /// The other program may write its pages over what is there now, with all that was changed in
    /// between: nothing is taken in until it has ended.
    @Test(arguments: [false, true])
    func nothingIsChangedUntilTheOtherProgramHasEnded(isIndexRemoved: Bool) throws {
        let csv = "make\n" + (0..<500).map { "car \($0)\n" }.joined()
        let path = try scratch.database(table: "cars", csv: csv)
        let backup = try Data(
            contentsOf: URL(filePath: scratch.database("backup.sqlite", table: "cars", csv: csv)))
        let daemon = try Daemon(path, in: scratch)
        #expect(try scratch.valet(["add", daemon.address, "make=A"]).code == 0)
        let other = try Daemon(
            .valetd, ["serve", path, "--read-only", "--listen", "127.0.0.1:0"], in: scratch)
        #expect(try scratch.valet(["rows", other.address]).code == 0)
        other.pause()
        if isIndexRemoved {
            try FileManager.default.removeItem(atPath: path + "-shm")
        } else {
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: backup)
            try handle.close()
        }
        _ = try eventually("it says why it is closed") {
            daemon.logText.contains("another program still has") ? true : nil
        }
        #expect(try scratch.valet(["rows", daemon.address]).code != 0)
        try other.end(SIGKILL)
        _ = try eventually("it is open again") {
            try scratch.valet(["rows", daemon.address]).code == 0 ? true : nil
        }
        #expect(try scratch.valet(["add", daemon.address, "make=B"]).code == 0)
        try daemon.end()
        let rows = try Connection(path: path).prepare(
            "SELECT count(*) FROM cars WHERE make NOT LIKE 'car %'")
        #expect(try rows.step() && rows.integer(0) == (isIndexRemoved ? 2 : 1))
    }
}
