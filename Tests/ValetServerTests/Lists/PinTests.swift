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
        let error = #expect(throws: ValetError.self) { try before.read { _ in } }
        #expect(error?.code == .expired)
        let refusal = #expect(throws: ValetError.self) { try pins.add(try pin()) }
        #expect(refusal?.code == .shuttingDown)
        await shop.stop()
    }
}
