import NIOCore
import ValetModel

/// Views of one connection that ask for the next window as soon as one is whole.
struct LoadCount {
    /// A view's windows, in a circle.
    private struct Lane {
        let places: [Int]
        var next = 0
        var asked = NIODeadline.now()
    }

    private var lanes: [UInt16: Lane] = [:]
    private var started = NIODeadline.now()
    private var bytesBefore = 0
    private var latencies = Latencies()

    mutating func begin(_ stream: UInt16, _ places: [Int]) {
        lanes[stream] = Lane(places: places)
    }

    /// The place that a view asks for next; nil if it is none of a load.
    mutating func next(_ stream: UInt16) -> Int? {
        guard var lane = lanes[stream], !lane.places.isEmpty else { return nil }
        defer { lanes[stream] = lane }
        lane.next = (lane.next + 1) % lane.places.count
        lane.asked = .now()
        return lane.places[lane.next]
    }

    mutating func answered(_ stream: UInt16) {
        guard let lane = lanes[stream] else { return }
        latencies.record(.nanoseconds((NIODeadline.now() - lane.asked).nanoseconds))
    }

    /// Forgets the warm-up.
    mutating func restart(bytes: Int) {
        (started, bytesBefore) = (.now(), bytes)
        latencies.clear()
    }

    func figures(bytes: Int) -> LoadFigures {
        let seconds = Double((NIODeadline.now() - started).nanoseconds) / 1e9
        return LoadFigures(
            perSecond: Double(latencies.count) / seconds, bytes: bytes - bytesBefore,
            latencies: latencies)
    }
}

struct LoadFigures: Sendable {
    var perSecond = 0.0
    var bytes = 0
    var latencies = Latencies()

    static func += (sum: inout LoadFigures, other: LoadFigures) {
        sum.perSecond += other.perSecond
        sum.bytes += other.bytes
        sum.latencies.add(other.latencies)
    }
}
