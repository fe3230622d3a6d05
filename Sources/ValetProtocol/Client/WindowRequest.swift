import NIOCore
import ValetModel

/// Asks for the rows to show now. The newest window of a view replaces older ones.
///
/// ```
/// varint           request
/// varint           generation
/// anchor           see `Anchor.write`
/// varint           rows wanted before the anchor
/// varint           rows wanted in all
/// signed           velocity: rows per second that the person scrolls, negative upwards
/// varint           round trip: microseconds that a message takes there and back, 0 if unknown
/// bool             settled: the person has come to rest here
/// list u64         names of pages that the client holds
/// optional varint  stands: answers a second at most
/// ```
package struct WindowRequest: Message {
    package static let kind = FrameKind.windowRequest

    package var request: UInt32
    package var generation: UInt32
    package var anchor: Anchor
    package var rowsBefore: Int
    package var rows: Int
    package var velocity: Int
    package var roundTripMicroseconds: UInt32
    package var isSettled: Bool
    package var held: [PageName]
    /// The window stands, and is answered again at most so many times a second; nil for one answer.
    package var answersPerSecond: UInt32?

    package init(
        request: UInt32, generation: UInt32, anchor: Anchor, rowsBefore: Int = 0, rows: Int,
        velocity: Int = 0, roundTripMicroseconds: UInt32 = 0, isSettled: Bool = true,
        held: [PageName] = [], answersPerSecond: UInt32? = nil
    ) {
        self.request = request
        self.generation = generation
        self.anchor = anchor
        self.rowsBefore = rowsBefore
        self.rows = rows
        self.velocity = velocity
        self.roundTripMicroseconds = roundTripMicroseconds
        self.isSettled = isSettled
        self.held = held
        self.answersPerSecond = answersPerSecond
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        anchor.write(into: &payload)
        payload.writeCount(rowsBefore)
        payload.writeCount(rows)
        payload.writeSigned(Int64(Int32(clamping: velocity)))
        payload.writeVarint(UInt64(roundTripMicroseconds))
        payload.writeBool(isSettled)
        payload.writeList(held) { $0.writeFixed64($1.rawValue) }
        payload.writeOptional(answersPerSecond) { $0.writeVarint(UInt64($1)) }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        anchor = try Anchor(reading: &payload)
        rowsBefore = try payload.count()
        rows = try payload.count()
        guard let speed = Int32(exactly: try payload.signed()) else {
            throw PayloadReader.malformed("velocity over 32 bits")
        }
        velocity = Int(speed)
        roundTripMicroseconds = try payload.uint32()
        isSettled = try payload.bool()
        held = try payload.list(of: "held pages", limit: Limits.heldPagesPerWindow) {
            payload throws(ValetError) in PageName(rawValue: try payload.fixed64())
        }
        answersPerSecond = try payload.optional { payload throws(ValetError) in
            try payload.uint32()
        }
    }
}

/// ```
/// u8 0   varint            flat ordinal
/// u8 1   varint, varint    index path: section, row in it
/// u8 2   signed            row id
/// u8 3   u32               fraction, in parts of 2³²
/// u8 4                     behind the last row
/// u8 5   list row, anchor  rows: signed row id, signed line; the other anchor is none of these
/// ```
extension Anchor {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .ordinal(let ordinal): payload.writeCase(0) { $0.writeCount(ordinal) }
        case .path(let path):
            payload.writeByte(1)
            payload.writeCount(path.section)
            payload.writeCount(path.row)
        case .rowID(let id): payload.writeCase(2) { $0.writeSigned(id) }
        case .fraction(let fraction):
            payload.writeByte(3)
            payload.writeInteger(fraction, endianness: .little)
        case .end: payload.writeByte(4)
        case .rows(let rows, let otherwise):
            payload.writeByte(5)
            payload.writeList(rows) { payload, row in
                payload.writeSigned(row.id)
                payload.writeSigned(Int64(row.line))
            }
            otherwise.write(into: &payload)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        let choice = try payload.byte()
        guard choice == 5 else {
            self = try Self(choice, reading: &payload)
            return
        }
        let rows = try payload.list(of: "anchor rows", limit: Limits.rowsPerAnchor) {
            payload throws(ValetError) in
            AnchorRow(id: try payload.signed(), line: Int(try payload.signed()))
        }
        self = .rows(rows, otherwise: try Self(try payload.byte(), reading: &payload))
    }

    private init(_ choice: UInt8, reading payload: inout PayloadReader) throws(ValetError) {
        switch choice {
        case 0: self = .ordinal(try payload.count())
        case 1: self = .path(IndexPath(section: try payload.count(), row: try payload.count()))
        case 2: self = .rowID(try payload.signed())
        case 3: self = .fraction(try payload.fixed32())
        case 4: self = .end
        case let other: throw PayloadReader.malformed("\(other) is no anchor")
        }
    }
}
