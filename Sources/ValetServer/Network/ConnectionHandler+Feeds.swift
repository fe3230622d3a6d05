import NIOCore
import ValetModel
import ValetStore

/// Change feeds. The reader threads read the log.
extension ConnectionHandler {
    func beginFeed(_ beginning: FeedBeginning) {
        guard let eventLoop = context?.eventLoop else { return }
        loop.feeds.watch(self)
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        shared.readers.submit(for: owner.reading) { [hasEnded] reader in
            let result = Result { () throws(ValetError) in
                try reader.get().feedStart(
                    list: beginning.list,
                    from: beginning.start.map { ($0.logID, $0.after) },
                    cancelled: { hasEnded.isSet })
            }
            eventLoop.execute {
                this.value.finish(this.value.session.feedBegan(beginning, result))
            }
        }
    }

    func readFeed(_ reading: FeedReading) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        shared.readers.submit(for: owner.reading) { [hasEnded] reader in
            let result = Result { () throws(ValetError) in
                try reader.get().changes(reading.query, cancelled: { hasEnded.isSet })
            }
            eventLoop.execute { this.value.feedRead(reading, result) }
        }
    }

    private func feedRead(_ reading: FeedReading, _ result: Result<FeedPassage, ValetError>) {
        guard let context else { return }
        finish(
            session.feedRead(
                reading, result, isWritable: context.channel.isWritable,
                at: context.eventLoop.now))
    }

    /// - Returns: the cost, and when to look again even without a change.
    @discardableResult
    func lookAtFeeds() -> (cost: Int, next: NIODeadline?) {
        guard !session.feeds.isEmpty else {
            loop.feeds.unwatch(self)
            return (0, nil)
        }
        // A client that does not read gets its changes when it reads again.
        guard let context, context.channel.isWritable else { return (0, nil) }
        let looks = session.lookAtFeeds(shared.log.heads, at: context.eventLoop.now)
        if let next = looks.next { loop.feeds.look(at: next) }
        run(looks.actions)
        return (looks.cost, nil)
    }
}
