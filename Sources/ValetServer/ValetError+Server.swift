import ValetModel

extension ValetError {
    static let shuttingDown = ValetError(.shuttingDown, "the server is shutting down")
    /// Nobody waits for the work any more, so nobody sees this.
    static let abandoned = ValetError(.superseded, "nothing waits for it any more")
    static let disconnected = ValetError(.superseded, "the client has disconnected")
    static let overtaken = ValetError(.superseded, "a newer request took its place")
}
