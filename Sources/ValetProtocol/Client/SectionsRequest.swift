import NIOCore
import ValetModel

/// Asks for consecutive sections, starting at an ordinal, at the section with a given title, or at
/// the first whose title has a given prefix.
///
/// ```
/// varint   request
/// varint   generation
/// u8 0, varint   from this section ordinal, or rank; or
/// u8 1, text     from the section with this title; or
/// u8 2, text     from the first section whose folded title begins with this, folded
/// varint   most sections wanted
/// u8       order
/// ```
package struct SectionsRequest: Message {
    package static let kind = FrameKind.sectionsRequest

    package enum Start: Hashable, Sendable {
        case ordinal(Int)
        case title(String)
        case titlePrefix(String)
    }

    package enum Order: UInt8, Sendable {
        case inPlace = 0
        /// Those with most rows first.
        case byRows = 1
    }

    package var request: UInt32
    package var generation: UInt32
    package var start: Start
    package var mostSections: Int
    package var order: Order

    package init(
        request: UInt32, generation: UInt32, start: Start, mostSections: Int,
        order: Order = .inPlace
    ) {
        self.request = request
        self.generation = generation
        self.start = start
        self.mostSections = mostSections
        self.order = order
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        switch start {
        case .ordinal(let ordinal): payload.writeCase(0) { $0.writeCount(ordinal) }
        case .title(let title): payload.writeCase(1) { $0.writeText(title) }
        case .titlePrefix(let prefix): payload.writeCase(2) { $0.writeText(prefix) }
        }
        payload.writeCount(mostSections)
        payload.writeByte(order.rawValue)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        switch try payload.byte() {
        case 0: start = .ordinal(try payload.count())
        case 1: start = .title(try payload.name("section title"))
        case 2: start = .titlePrefix(try payload.name("section title"))
        case let other: throw PayloadReader.malformed("\(other) is no start")
        }
        mostSections = try payload.count()
        order = try payload.choice("order of sections")
    }
}
