import ValetModel

/// Where the stations of a node are, as far as that is news to the other nodes.
///
///     text node, u64 incarnation, u16 number of entries, and of each u32 connection, and u8: 0 it
///     is gone; 1 it is there: text list, text station, u8 activity, and u8: 1 with u64 row id
///
/// A text stands behind its length as u16.
package struct PresenceReport: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Names it for as long as it lasts.
        package var connection: UInt32
        /// nil for one that is gone, or in no list.
        package var guest: StationPresence?

        package init(connection: UInt32, guest: StationPresence?) {
            (self.connection, self.guest) = (connection, guest)
        }
    }

    package var node: String
    package var incarnation: UInt64
    package var entries: [Entry]
    /// In one report.
    package static let mostEntries = 128

    package init(node: String, incarnation: UInt64, entries: [Entry]) {
        (self.node, self.incarnation, self.entries) = (node, incarnation, entries)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(node, atMost: Leadership.mostNameBytes)
        bytes.add(incarnation)
        bytes.add(UInt16(clamping: entries.count))
        for entry in entries {
            bytes.add(entry.connection)
            bytes.append(entry.guest == nil ? 0 : 1)
            guard let guest = entry.guest else { continue }
            bytes.add(guest.presence.list, atMost: Limits.bytesPerName)
            bytes.add(guest.station, atMost: Limits.bytesPerName)
            bytes.append(guest.presence.activity.rawValue)
            bytes.append(guest.presence.rowID == nil ? 0 : 1)
            if let rowID = guest.presence.rowID { bytes.add(rowID) }
        }
        return bytes
    }

    /// nil if the bytes are none.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let node = reader.nodeName(), let incarnation = reader.number(bytes: 8),
            let count = reader.number(bytes: 2), count <= Self.mostEntries
        else { return nil }
        var entries: [Entry] = []
        for _ in 0..<count {
            guard let entry = Self.entry(&reader) else { return nil }
            entries.append(entry)
        }
        guard reader.isAtEnd else { return nil }
        self.init(node: node, incarnation: incarnation, entries: entries)
    }

    private static func entry(_ reader: inout ByteReader) -> Entry? {
        guard let number = reader.number(bytes: 4), let isThere = reader.number(bytes: 1),
            isThere <= 1
        else { return nil }
        let connection = UInt32(truncatingIfNeeded: number)
        if isThere == 0 { return Entry(connection: connection, guest: nil) }
        guard let list = reader.text(atMost: Limits.bytesPerName),
            let station = reader.text(atMost: Limits.bytesPerName),
            let activity = reader.number(bytes: 1).flatMap({
                Presence.Activity(rawValue: UInt8(truncatingIfNeeded: $0))
            }), let hasRow = reader.number(bytes: 1), hasRow <= 1
        else { return nil }
        var rowID: Int64?
        if hasRow == 1 {
            guard let bits = reader.number(bytes: 8) else { return nil }
            rowID = Int64(bitPattern: bits)
        }
        let presence = Presence(list: list, rowID: rowID, activity: activity)
        return Entry(
            connection: connection,
            guest: StationPresence(connection: connection, station: station, presence: presence))
    }
}
