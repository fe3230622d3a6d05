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
        for number in [incarnation, epoch, place, catalog] { bytes.add(number) }
        for text in [name, version, reason] { bytes.add(text, atMost: Self.mostTextBytes) }
        return bytes
    }

    /// nil if the bytes are none.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        let most = Self.mostTextBytes
        guard let role = reader.take(1)?.first.flatMap(Role.init(rawValue:)),
            let incarnation = reader.number(bytes: 8), let epoch = reader.number(bytes: 8),
            let place = reader.number(bytes: 8), let catalog = reader.number(bytes: 8),
            let name = reader.nodeName(), let version = reader.text(atMost: most),
            let reason = reader.text(atMost: most), reader.isAtEnd
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
    /// Kind 4.
    case presence(PresenceReport)

    package var bytes: [UInt8] {
        switch self {
        case .heartbeat(let heartbeat): [1] + heartbeat.bytes
        case .report(let report): [2] + report.bytes
        case .marks(let marks): [3] + marks.bytes
        case .presence(let presence): [4] + presence.bytes
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
            case 4: PresenceReport(rest).map(NodeNews.presence)
            default: nil
            }
        guard let news else { return nil }
        self = news
    }
}
