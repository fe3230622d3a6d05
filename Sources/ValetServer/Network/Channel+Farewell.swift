import NIOCore

extension Channel {
    /// Closes so that the peer can still read the last message, which says why.
    ///
    /// Closing a socket with unread input resets the connection, and the reset overtakes the last
    /// message. So only the output is closed first, after everything has been sent; input is then
    /// discarded until the peer closes or the timeout expires.
    func closeAfterReading(within timeout: TimeAmount) {
        let timer = eventLoop.scheduleTask(in: timeout) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timer.cancel() }
        close(mode: .output).whenFailure { _ in self.close(promise: nil) }
    }
}
