import Foundation
import TestSupport
import Testing

@testable import ValetCommands

struct ServiceManagerTests {
    private let folder = TemporaryFolder()

    @Test func itIsToldInOneDatagram() throws {
        let name = folder.file("notify")
        let socket = try #require(NotifySocket(at: name))
        ServiceManager.tell("READY=1\nSTATUS=valet://127.0.0.1:7425", at: name)
        #expect(socket.next() == "READY=1\nSTATUS=valet://127.0.0.1:7425")
        #expect(socket.next(milliseconds: 0) == nil)
    }

    #if os(Linux)
        @Test func itsSocketMayBeInNoFolder() throws {
            let name = "@valet-\(UInt64.random(in: 0 ... .max))"
            let socket = try #require(NotifySocket(at: name))
            ServiceManager.tell("STOPPING=1", at: name)
            #expect(socket.next() == "STOPPING=1")
        }
    #endif

    @Test(arguments: ["", "/nowhere/notify", String(repeating: "x", count: 200)])
    func nobodyIsToldWhereNobodyListens(name: String) {
        ServiceManager.tell("READY=1", at: name)
    }
}
