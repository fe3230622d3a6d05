/// A local error with its exit code, for failures outside the protocol.
package struct CommandFailure: Error {
    package var status: ExitStatus
    package var error: String
    package var alternatives: [String]

    package init(_ status: ExitStatus, _ message: String, alternatives: [String] = []) {
        self.status = status
        error = message
        self.alternatives = alternatives
    }
}
