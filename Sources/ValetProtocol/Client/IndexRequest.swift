import NIOCore
import ValetModel

/// Asks for the section index, thinned to the number of titles that fit the screen.
///
/// ```
/// varint   request
/// varint   generation
/// varint   most titles wanted
/// ```
package struct IndexRequest: Message {
    package static let kind = FrameKind.indexRequest

    package var request: UInt32
    package var generation: UInt32
    package var mostTitles: Int

    package init(request: UInt32, generation: UInt32, mostTitles: Int) {
        self.request = request
        self.generation = generation
        self.mostTitles = mostTitles
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeCount(mostTitles)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        mostTitles = try payload.count()
    }
}
