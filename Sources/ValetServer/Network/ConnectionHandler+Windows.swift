import NIOCore
import ValetModel

/// Windows that are answered again.
extension ConnectionHandler {
    /// Takes part in the loop's passes while changes of rows concern a window.
    func watchRows() {
        let watches = session.watchingWindows > 0
        guard watches != isWatching, context != nil || !watches else { return }
        isWatching = watches
        guard watches else { return loop.windows.unwatch(self) }
        loop.windows.watch(self)
        // Rows may have changed since the window was answered.
        if let now = context?.eventLoop.now { loop.windows.look(at: now) }
    }

    func lookAtWindows() -> (cost: Int, next: NIODeadline?) {
        // What a client does not read is answered when it reads again.
        guard let context, context.channel.isWritable else {
            session.windowsHeldUp()
            return (0, nil)
        }
        let looks = session.lookAtWindows(loop)
        if !looks.actions.isEmpty {
            run(looks.actions)
            pump()
            flush()
        }
        return (looks.cost, looks.next)
    }

    /// Answers windows that have waited for credit or for their last pages.
    /// - Returns: whether any was.
    func answerAgain() -> Bool {
        watchRows()
        guard session.hasPendingWindow else { return false }
        let looks = session.lookAtWindows(loop)
        if let next = looks.next { loop.windows.look(at: next) }
        run(looks.actions)
        return !looks.actions.isEmpty
    }
}
