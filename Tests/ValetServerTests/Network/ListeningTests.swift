import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetServer

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a server can't listen, and what it says.
@Suite(.timeLimit(.minutes(5))) struct ListeningTests {
    private func failure(
        _ server: ValetServer, host: String, port: Int
    ) async -> ValetError? {
        do throws(ValetError) {
            _ = try await server.listen(host: host, port: port)
            return nil
        } catch {
            return error
        }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await TestServer.serving { first in
            let folder = TemporaryFolder()
            let second = try await TestServer(folder.cars(1))
            let error = await failure(second.server, host: "127.0.0.1", port: first.port)
            #expect(
                error?.message
                    == "another program listens on 127.0.0.1:\(first.port) already: end it, or "
                    + "choose another port; port 0 lets the system choose")
            await second.server.stop()
        }
    }

    @Test func anAddressOfAnotherMachineIsNamed() async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(folder.cars(1))
        // An address for documents: no machine has it.
        let error = await failure(server.server, host: "192.0.2.1", port: 0)
        #expect(
            error?.message
                == "this machine has no address 192.0.2.1 to listen on: choose 127.0.0.1 or "
                + "another address of its own")
        await server.server.stop()
    }

    @Test(arguments: [
        (
            EACCES, ErrorCode.notAllowed,
            "the system does not allow this user to listen on [::1]:80: choose a port from 1024 up"
        ),
        (EMFILE, .unexpected, "can't listen on [::1]:80: Too many open files"),
    ])
    func theSystemsReasonsAreSaidInWords(number: CInt, code: ErrorCode, message: String) {
        let cause = IOError(errnoCode: number, reason: "bind")
        #expect(
            ListeningFailure.error(cause, host: "::1", port: 80) == ValetError(code, message))
    }

    @Test func aNameThatIsNoAddressIsSaid() {
        let error = ListeningFailure.error(SocketAddressError.unsupported, host: "x.y", port: 1)
        #expect(error.message.hasPrefix("there is no address for “x.y” to listen on: check"))
    }
}
