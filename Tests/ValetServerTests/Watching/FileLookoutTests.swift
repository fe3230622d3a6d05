import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import Testing

@testable import ValetServer

/// How soon a server sees that another program has changed its file, on a loop whose time the test
/// moves.
@Suite(.offThePool) struct FileLookoutTests {
    private let folder = TemporaryFolder()

    private func served() async throws -> ServedFile {
        var options = ServerOptions(path: try folder.cars(10), epoch: TestServer.epoch)
        // What is submitted later runs later.
        options.readerThreads = 1
        return try await ServedFile(
            options, epoch: options.epoch,
            eventLoops: [MultiThreadedEventLoopGroup.singleton.next()],
            admission: Admission(limit: 1), attempts: Attempts(), authenticator: nil,
            address: ServedAddress(), logger: EmbeddedConnection.logger)
    }

    /// Whether the loops are told of a commit that another program makes so long after a look-out
    /// began, when a quarter of a second has passed since the commit.
    private func sees(_ file: ServedFile, commitAfter time: TimeAmount) throws -> Bool {
        let loop = EmbeddedEventLoop()
        let lookout = FileLookout(on: file) { Issue.record("\($0) of a file that is the same") }
        lookout.start(on: loop)
        defer { lookout.stop() }
        func settle() {
            let done = DispatchSemaphore(value: 0)
            file.shared.readers.submit { _ in done.signal() }
            done.wait()
        }
        let before = file.shared.log.heads
        loop.advanceTime(by: time)
        settle()
        #expect(file.shared.log.heads == before, "nobody has committed")
        try TemporaryFolder.change(folder.file("cars.db"), "UPDATE cars SET year = year + 1")
        loop.advanceTime(by: .milliseconds(250))
        settle()
        return file.shared.log.heads != before
    }

    @Test func aCommitOfAnotherProgramIsSeenWithinAQuarterOfASecond() async throws {
        let file = try await served()
        for milliseconds in [0, 1, 119, 120, 121, 249, 10_000] as [Int64] {
            #expect(try sees(file, commitAfter: .milliseconds(milliseconds)), "\(milliseconds)")
        }
        await file.drain(.shuttingDown, within: .seconds(2))
    }
}
