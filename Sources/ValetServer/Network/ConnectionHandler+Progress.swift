import NIOCore
import ValetModel

/// Reports build progress to clients that wait long. No timer runs while nothing waits.
extension ConnectionHandler {
    /// Schedules the next report. An answer does not cancel the timer, which would cost more with
    /// many quick answers than letting it fire and find nothing to report.
    func scheduleProgress() {
        guard progressTimer == nil, let due = waits.nextDue, let context else { return }
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        progressTimer = context.eventLoop.scheduleTask(deadline: due) {
            this.value.progressTimer = nil
            this.value.sendProgress()
        }
    }

    private func sendProgress() {
        guard let context else { return }
        let due = waits.due(at: context.eventLoop.now)
        // A client that does not read gets the report later, or never.
        if context.channel.isWritable {
            finish(due.flatMap { session.progressed($0.order, thousandths: $0.thousandths) })
        }
        scheduleProgress()
    }
}
