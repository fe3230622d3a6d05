import NIOCore
import ValetModel

/// While a view waits long for its arrangement, its client hears how far that is. Nobody is looked
/// after while nothing waits.
extension ConnectionHandler {
    /// Looks again when the next one is due. An answer does not end the timer: it finds nobody left
    /// by itself, which costs less than to end it with each of many quick answers.
    func scheduleProgress() {
        guard progressTimer == nil, let due = waits.nextDue, let context else { return }
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        progressTimer = context.eventLoop.scheduleTask(deadline: due) {
            this.value.progressTimer = nil
            this.value.tellProgress()
        }
    }

    private func tellProgress() {
        guard let context else { return }
        let due = waits.due(at: context.eventLoop.now) { order in
            shared.lists[order.list].thousandthsDone(of: order.specification)
        }
        // Who does not read hears of it later, or never.
        if context.channel.isWritable {
            finish(due.flatMap { session.progressed($0.order, thousandths: $0.thousandths) })
        }
        scheduleProgress()
    }
}
