import NIOCore
import ValetModel

/// Counts those whom a server turned away, by address, so that who goes on trying has to wait.
///
/// Time is a parameter.
struct FailedAttempts {
    /// What a failure is counted for: an IPv4 address, or the network of an IPv6 one, since whoever
    /// has one address there has them all.
    struct Source: Hashable {
        private let bytes: [UInt8]

        /// nil for what is no address of the internet.
        init?(_ address: SocketAddress?) {
            switch address {
            case .v4(let address):
                bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
            case .v6(let address):
                let all = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
                let isMapped = all.prefix(12).elementsEqual(Self.mapped)
                bytes = Array(isMapped ? all.suffix(4) : all.prefix(8))
            case .unixDomainSocket, nil: return nil
            }
        }

        /// What an IPv4 address begins with as an IPv6 one (RFC 4291 §2.5.5.2).
        private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    }

    /// Failures that still count, at a time; one is forgotten in every few seconds.
    private struct Level {
        var count = 0.0
        var at: NIODeadline
        /// It had to wait since it was last forgotten.
        var hasWaited = false

        func count(at now: NIODeadline) -> Double {
            let seconds = Double((now - at).nanoseconds) / 1e9
            return max(0, count - seconds / Double(Limits.secondsPerAttempt))
        }
    }

    private var levels: [Source: Level] = [:]

    /// Sources that are remembered.
    var count: Int { levels.count }

    /// - Returns: whether it should be told in a log: it is the first one, or has to wait from now
    ///   on.
    mutating func failed(_ source: Source, at now: NIODeadline) -> Bool {
        makeRoom(for: source, at: now)
        let before = levels[source]?.count(at: now) ?? 0
        var level = before > 0 ? levels[source] ?? Level(at: now) : Level(at: now)
        (level.count, level.at) = (min(before + 1, Self.most), now)
        let waits = level.count > Self.most - 1
        defer { levels[source] = level }
        guard waits, !level.hasWaited else { return before == 0 }
        level.hasWaited = true
        return true
    }

    private static var most: Double { Double(Limits.attemptsAtOnce) }

    /// Seconds that the source has to wait; nil if it may try.
    func wait(of source: Source, at now: NIODeadline) -> Int? {
        guard let count = levels[source]?.count(at: now) else { return nil }
        let excess = count - (Self.most - 1)
        guard excess > 0 else { return nil }
        return Int((excess * Double(Limits.secondsPerAttempt)).rounded(.up))
    }

    /// Forgets those that count no more, or the one with the fewest failures.
    private mutating func makeRoom(for source: Source, at now: NIODeadline) {
        guard levels.count >= Limits.addressesOfAttempts, levels[source] == nil else { return }
        levels = levels.filter { $0.value.count(at: now) > 0 }
        guard levels.count >= Limits.addressesOfAttempts else { return }
        let least = levels.min { $0.value.count(at: now) < $1.value.count(at: now) }
        if let least { levels[least.key] = nil }
    }
}
