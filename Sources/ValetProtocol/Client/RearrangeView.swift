import NIOCore
import ValetModel

/// Asks an open view a new question: another grouping, sort or search. Pending requests of older
/// generations are answered as superseded.
///
/// ```
/// varint     request
/// varint     generation, larger than the view's last
/// question   see `Question.write`
/// ```
package struct RearrangeView: Message {
    package static let kind = FrameKind.rearrangeView

    package var request: UInt32
    package var generation: UInt32
    package var question: Question

    package init(request: UInt32, generation: UInt32, question: Question) {
        self.request = request
        self.generation = generation
        self.question = question
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        question.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        question = try Question(reading: &payload)
    }
}
