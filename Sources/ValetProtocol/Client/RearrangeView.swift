import NIOCore
import ValetModel

/// Asks an open view for a new query: another grouping, sort or search. Pending requests of older
/// generations are answered as superseded.
///
/// ```
/// varint     request
/// varint     generation, larger than the view's last
/// query   see `Query.write`
/// ```
package struct RearrangeView: Message {
    package static let kind = FrameKind.rearrangeView

    package var request: UInt32
    package var generation: UInt32
    package var query: Query

    package init(request: UInt32, generation: UInt32, query: Query) {
        self.request = request
        self.generation = generation
        self.query = query
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        query.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        query = try Query(reading: &payload)
    }
}
