import Foundation
import TestSupport
import Testing

@testable import ValetServer
@testable import ValetStore

@Suite(.timeLimit(.minutes(5))) struct RemovedLogTests {
    /// A process was killed, and the log that it has left is removed as soon as the next one has
    /// begun: what is in it goes into the file, or stays beside it.
    @Test func aLogThatIsRemovedJustAfterTheStartIsKept() async throws {
        let (killed, folder) = (TemporaryFolder(), TemporaryFolder())
        let writing = try killed.database("PRAGMA journal_mode = wal; CREATE TABLE cars (make)")
        let connection = try Connection(path: writing, access: .write)
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.run("INSERT INTO cars VALUES ('Kia'), ('Audi'), ('BMW')")
        let path = folder.file("cars.db")
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: writing + end, toPath: path + end)
        }
        let local = try await TestServer(path)
        try FileManager.default.removeItem(atPath: path + "-wal")
        await local.server.stop()
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .first { $0.contains("-wal-replaced-") }
        if let kept {
            try FileManager.default.moveItem(atPath: folder.file(kept), toPath: path + "-wal")
        }
        #expect(try TemporaryFolder.number(path, "SELECT count(*) FROM cars") == 3)
    }
}
