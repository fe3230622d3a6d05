/// An error with its exit code: for what is wrong on this side of the protocol.
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
