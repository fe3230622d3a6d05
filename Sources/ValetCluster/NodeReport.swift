/// What a node tells everybody of itself every second, outside the log.
///
///     u8 role, u64 incarnation, u64 epoch, u64 place, u64 digest of its catalog's names, and three
///     texts, each behind its length as u16: its name, the version of its program, and why it is
///     out of service
package struct NodeReport: Hashable, Sendable {
    package enum Role: UInt8, Sendable {
        case following = 0
        case standing = 1
        case leading = 2
        case outOfService = 3
    }

    package var name: String
    /// Later starts have larger ones, as far as clocks agree.
    package var incarnation: UInt64
    package var role: Role
    /// Why it is out of service; else empty.
    package var reason: String
    package var epoch: UInt64
    /// How far its file has taken the log in.
    package var place: UInt64
    package var catalog: UInt64
    package var version: String

    package init(
        name: String, incarnation: UInt64, role: Role, reason: String, epoch: UInt64, place: UInt64,
        catalog: UInt64, version: String
    ) {
        (self.name, self.incarnation, self.role, self.reason) = (name, incarnation, role, reason)
        (self.epoch, self.place, self.catalog, self.version) = (epoch, place, catalog, version)
    }

    /// Of a version, and of a reason.
    private static let mostTextBytes = 512

    package var bytes: [UInt8] {
        var bytes = [role.rawValue]
        for number in [incarnation, epoch, place, catalog] {
            withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        }
        for text in [name, version, reason] {
            let cut = Array(text.cut(toBytes: Self.mostTextBytes).utf8)
            bytes += [UInt8(cut.count >> 8), UInt8(cut.count & 0xFF)] + cut
        }
        return bytes
    }

    /// nil if the bytes are none.
    package init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number(_ count: Int) -> UInt64? { take(count)?.reduce(0) { $0 << 8 | UInt64($1) } }
        func text() -> String? {
            number(2).flatMap { length in
                length <= Self.mostTextBytes
                    ? take(Int(length)).flatMap { String(validating: $0, as: UTF8.self) } : nil
            }
        }
        guard let role = take(1)?.first.flatMap(Role.init(rawValue:)),
            let incarnation = number(8), let epoch = number(8), let place = number(8),
            let catalog = number(8), let name = text(), let version = text(), let reason = text(),
            rest.isEmpty, Leadership.isName(name)
        else { return nil }
        self.init(
            name: name, incarnation: incarnation, role: role, reason: reason, epoch: epoch,
            place: place, catalog: catalog, version: version)
    }
}

/// What nodes say outside the log: u8 kind, and that.
package enum NodeNews: Equatable, Sendable {
    /// Kind 1.
    case heartbeat(ClusterNode.Heartbeat)
    /// Kind 2.
    case report(NodeReport)
    /// Kind 3.
    case marks(MarksReport)

    package var bytes: [UInt8] {
        switch self {
        case .heartbeat(let heartbeat): [1] + heartbeat.bytes
        case .report(let report): [2] + report.bytes
        case .marks(let marks): [3] + marks.bytes
        }
    }

    /// nil if the bytes are none.
    package init?(_ bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst())
        let news: NodeNews? =
            switch bytes.first {
            case 1: ClusterNode.Heartbeat(rest).map(NodeNews.heartbeat)
            case 2: NodeReport(rest).map(NodeNews.report)
            case 3: MarksReport(rest).map(NodeNews.marks)
            default: nil
            }
        guard let news else { return nil }
        self = news
    }
}
