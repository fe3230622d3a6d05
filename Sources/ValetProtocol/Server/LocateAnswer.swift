import NIOCore
import ValetModel

/// A row's position, if the view contains the row.
///
/// ```
/// varint     request
/// varint     revision
/// optional (varint flat ordinal, varint section, varint row in it)
/// ```
package struct LocateAnswer: Message {
    package static let kind = FrameKind.locateAnswer

    package struct Place: Hashable, Sendable {
        package var ordinal: Int
        package var path: IndexPath

        package init(ordinal: Int, path: IndexPath) {
            self.ordinal = ordinal
            self.path = path
        }
    }

    package var request: UInt32
    package var revision: UInt64
    package var place: Place?

    package init(request: UInt32, revision: UInt64, place: Place?) {
        self.request = request
        self.revision = revision
        self.place = place
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(revision)
        payload.writeOptional(place) { payload, place in
            payload.writeCount(place.ordinal)
            payload.writeCount(place.path.section)
            payload.writeCount(place.path.row)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        revision = try payload.varint()
        place = try payload.optional { payload throws(ValetError) in
            Place(
                ordinal: try payload.count(),
                path: IndexPath(section: try payload.count(), row: try payload.count()))
        }
    }
}
