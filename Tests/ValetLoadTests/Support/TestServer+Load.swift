import TestSupport

@testable import ValetLoad

/// The server that a bench starts, without a process of its own: its memory is not known apart.
extension TestServer: LoadServer {
    package func memory() -> ServerMemory? { nil }

    package func stop() async {
        await server.stop()
    }
}
