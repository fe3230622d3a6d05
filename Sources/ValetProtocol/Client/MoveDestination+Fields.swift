import NIOCore
import ValetModel

/// ```
/// u8 0  first
/// u8 1  last
/// u8 2  behind   signed row id, optional varint revision, optional text grouping
/// u8 3  before   the same
/// ```
extension MoveDestination {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .first: payload.writeByte(0)
        case .last: payload.writeByte(1)
        case .behind(let neighbour):
            payload.writeByte(2)
            neighbour.write(into: &payload)
        case .before(let neighbour):
            payload.writeByte(3)
            neighbour.write(into: &payload)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .first
        case 1: self = .last
        case 2: self = .behind(try Neighbour(reading: &payload))
        case 3: self = .before(try Neighbour(reading: &payload))
        case let other: throw PayloadReader.malformed("\(other) is no destination of a move")
        }
    }
}

extension MoveDestination.Neighbour {
    fileprivate func write(into payload: inout ByteBuffer) {
        payload.writeSigned(rowID)
        payload.writeOptional(seen) { $0.writeVarint($1) }
        payload.writeOptional(joining) { $0.writeText($1) }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            rowID: try payload.signed(),
            seen: try payload.optional { payload throws(ValetError) in try payload.varint() },
            joining: try payload.optional { payload throws(ValetError) in
                try payload.name("grouping name")
            })
    }
}
