import TestSupport

@testable import ValetLoad

/// The server that a bench starts, without a process of its own.
extension TestServer: LoadServer {
    package func stop() async {
        await server.stop()
    }
}
