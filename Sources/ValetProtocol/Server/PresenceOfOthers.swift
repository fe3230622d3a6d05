import NIOCore
import ValetModel

/// Where the people of other connections are, as far as that is new to the client. The kind is
/// even, so a client may skip it.
///
/// ```
/// list (varint connection, optional (text station, presence))   none for one that is gone
/// ```
package struct PresenceOfOthers: Message {
    package static let kind = FrameKind.presenceOfOthers

    package struct Entry: Hashable, Sendable {
        /// Names a connection for as long as it lasts.
        package var connection: UInt32
        package var other: Other?

        package init(connection: UInt32, other: Other?) {
            self.connection = connection
            self.other = other
        }
    }

    package struct Other: Hashable, Sendable {
        package var station: String
        package var presence: Presence

        package init(station: String, presence: Presence) {
            self.station = station
            self.presence = presence
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package func write(into payload: inout ByteBuffer) {
        payload.writeList(entries) { payload, entry in
            payload.writeVarint(UInt64(entry.connection))
            payload.writeOptional(entry.other) { payload, other in
                payload.writeText(other.station)
                other.presence.write(into: &payload)
            }
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        entries = try payload.list(of: "stations per frame", limit: Limits.stationsPerFrame) {
            payload throws(ValetError) in
            Entry(
                connection: try payload.uint32(),
                other: try payload.optional { payload throws(ValetError) in
                    Other(
                        station: try payload.name("station name"),
                        presence: try Presence(reading: &payload))
                })
        }
    }
}
