import NIOCore
import ValetModel

/// Asks for all changes of a list from now on, or since a position in its log. The request's number
/// is the feed's.
///
/// ```
/// varint                           request
/// text                             list
/// optional (u64, varint, varint)   log id, and the last position that the client has: revision,
///                                  place
/// ```
package struct Follow: Message {
    package static let kind = FrameKind.follow

    package struct Start: Hashable, Sendable {
        package var logID: UInt64
        package var after: LogPosition

        package init(logID: UInt64, after: LogPosition) {
            self.logID = logID
            self.after = after
        }
    }

    package var request: UInt32
    package var list: String
    package var start: Start?

    package init(request: UInt32, list: String, start: Start? = nil) {
        self.request = request
        self.list = list
        self.start = start
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeText(list)
        payload.writeOptional(start) { payload, start in
            payload.writeFixed64(start.logID)
            start.after.write(into: &payload)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        list = try payload.name("list name")
        start = try payload.optional { payload throws(ValetError) in
            Start(logID: try payload.fixed64(), after: try LogPosition(reading: &payload))
        }
    }
}
