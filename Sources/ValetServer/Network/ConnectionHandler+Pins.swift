import NIOCore
import ValetModel
import ValetProtocol

/// Views that are pinned to a revision. What they show is found on the builders' threads.
extension ConnectionHandler {
    /// The newest rows are arranged as the view asks; now it is pinned.
    func pin(_ order: ArrangeOrder, _ times: Times) {
        let list = shared.lists[order.list]
        guard let eventLoop = context?.eventLoop else {
            return list.release(order.specification)
        }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        list.builders.submit(for: owner.reading) { [hasEnded, pins = shared.pins] reader in
            let result = Result { () throws(ValetError) in
                if hasEnded.isSet { throw ValetError(.superseded, "the client has disconnected") }
                let pin = try list.pin(
                    order.specification, try reader.get(), isCancelled: { hasEnded.isSet })
                try pins.add(pin)
                return pin
            }
            // The pin keeps the arrangement, or nobody shows it.
            list.release(order.specification)
            eventLoop.execute { this.value.pinned(order, result, times) }
        }
    }

    private func pinned(_ order: ArrangeOrder, _ result: Result<Pin, ValetError>, _ times: Times) {
        switch result {
        case .success(let pin):
            finish(session.arranged(order, .success(times), pin: pin, loop))
        case .failure(let error): finish(session.arranged(order, .failure(error), loop))
        }
    }

    /// It ends off the event loop: a page may be read from it, and its rows take long to free.
    func unpin(_ pin: Pin) {
        shared.builders.submit { [pins = shared.pins] _ in pins.remove(pin) }
    }
}
