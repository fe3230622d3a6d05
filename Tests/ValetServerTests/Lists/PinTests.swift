import Dispatch
import TestSupport
import Testing
import ValetModel
import ValetStore

@testable import ValetServer

/// Pins of a list, without views.
@Suite struct PinTests {
    /// The view's pin may be made on a thread while the file is being closed.
    @Test func aPinThatComesAfterTheFileWasClosedIsRefused() async throws {
        let shop = try Workshop()
        let reader = try Database(path: shop.folder.file("cars.db")).makeReader()
        func pin() throws -> Pin { try shop.list.pin(.cars(), reader, isCancelled: { false }) }
        let pins = Pins()
        let before = try pin()
        try pins.add(before)
        pins.close()
        #expect(failure { try before.read { _ in } }?.code == .expired)
        #expect(failure { try pins.add(try pin()) }?.code == .shuttingDown)
        await shop.stop()
    }

    /// The reader sees commits that are not published yet. The list is not read for them.
    @Test func aSnapshotThatIsAboutToBePublishedIsPinnedAsItIs() async throws {
        let memory = MemoryBudget()
        let shop = try Workshop(memory: memory)
        await shop.build("shown", .cars())
        let path = shop.folder.file("cars.db")
        let reader = try Database(path: path).makeReader()
        try TemporaryFolder.change(path, "UPDATE cars SET model = 'new' WHERE rowid = 1")
        let gate = DispatchSemaphore(value: 0)
        shop.publisher.post { _ = gate.wait(timeout: .now() + .milliseconds(300)) }
        shop.commit([.update(rowID: 1, cells: [1: .text("new")])], revision: 1)
        let pin = try shop.list.pin(.cars(), reader, isCancelled: { false })
        #expect(pin.snapshot.revision == 1)
        #expect(memory.bytesTaken == shop.keeper.byteCount, "nothing was read for it")
        pin.end()
        await shop.stop()
    }
}
