import NIOCore

extension Channel {
    /// Closes so that the peer can still read what was sent last: why it is cut off.
    ///
    /// A socket that is closed while bytes from the peer stand unread resets the connection, and
    /// the reset overtakes those last words. So the sending half ends first, once all that was
    /// written has gone out; whatever still comes is read and thrown away until the peer closes, or
    /// for so long.
    func closeAfterReading(within patience: TimeAmount) {
        let timer = eventLoop.scheduleTask(in: patience) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timer.cancel() }
        close(mode: .output).whenFailure { _ in self.close(promise: nil) }
    }
}
