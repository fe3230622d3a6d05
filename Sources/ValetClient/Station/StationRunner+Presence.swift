import NIOCore
import ValetModel

/// The presence of this station and of others, and what the server says of itself.
extension StationRunner {
    func appear(_ presence: Presence) {
        ownPresence.moved(to: presence)
        sendPresence()
    }

    func sendPresence() {
        guard let connection, presenceTimer == nil else { return }
        let (presence, due) = ownPresence.next(at: eventLoop.now)
        if let presence { connection.appear(presence) }
        guard let due else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        presenceTimer = eventLoop.scheduleTask(deadline: due) {
            this.value.presenceTimer = nil
            this.value.sendPresence()
        }
    }

    func onOthers(_ body: @escaping ([StationPresence]) -> Void) {
        othersChanged = body
        listen()
    }

    func onNode(_ body: @escaping (ServingNode?) -> Void) {
        nodeChanged = body
        listen()
    }

    /// To what the connection says without a request.
    func listen() {
        guard let connection else {
            othersChanged([])
            return nodeChanged(nil)
        }
        let (this, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), eventLoop)
        connection.onNode { node in
            eventLoop.execute {
                if this.value.connection === connection { this.value.nodeChanged(node) }
            }
        }
        connection.onOthers { others in
            eventLoop.execute {
                // News of an earlier connection is outdated.
                if this.value.connection === connection { this.value.othersChanged(others) }
            }
        }
    }
}
