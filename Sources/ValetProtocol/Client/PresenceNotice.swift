import NIOCore
import ValetModel

/// Says where the person is. Has no answer; the newest counts. The kind is even, so a server may
/// skip it.
///
/// ```
/// presence   see `Presence.write`
/// ```
package struct PresenceNotice: Message {
    package static let kind = FrameKind.presence

    package var presence: Presence

    package init(presence: Presence) { self.presence = presence }

    package func write(into payload: inout ByteBuffer) {
        presence.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        presence = try Presence(reading: &payload)
    }
}

/// ```
/// text              list, empty outside of all
/// optional signed   row id
/// u8                0 looks, 1 edits
/// ```
extension Presence {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(list)
        payload.writeOptional(rowID) { $0.writeSigned($1) }
        payload.writeByte(activity.rawValue)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            list: try payload.name("list name"),
            rowID: try payload.optional { payload throws(ValetError) in try payload.signed() },
            activity: try payload.choice("activity"))
    }
}
