import ValetModel

/// An error with its exit code: for what is wrong on this side of the protocol.
struct CommandFailure: Error {
    var status: ExitStatus
    var error: String
    var alternatives: [String]

    init(_ status: ExitStatus, _ message: String, alternatives: [String] = []) {
        self.status = status
        error = message
        self.alternatives = alternatives
    }
}
