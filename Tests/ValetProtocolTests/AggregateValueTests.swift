import NIOCore
import Testing
import ValetModel

@testable import ValetProtocol

/// A whole number of 128 bits has one form: a cell if it fits, else two halves.
@Suite struct AggregateValueTests {
    /// Reads an answer with one value for all rows.
    private func read(_ value: [UInt8]) throws -> AggregateValue? {
        let payload = ByteBuffer(bytes: [19, 1, 1, 0, 1, 10, 1] + value + [0])
        let frame = Frame(kind: FrameKind.aggregatesAnswer.rawValue, stream: 1, payload: payload)
        return try AggregatesAnswer(frame: frame).aggregates.allRows?.values.first
    }

    private func halves(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) }
        }
    }

    @Test func eachValueHasItsForm() throws {
        #expect(try read([0]) == AggregateValue.none)
        #expect(try read([1, 1, 10]) == .cell(.integer(5)))
        #expect(try read([2] + halves(1, 0)) == .whole(1 << 64))
        #expect(try read([2] + halves(0, 1 << 63)) == .whole(1 << 63))
        #expect(try read([2] + halves(.max, 1 << 63 - 1)) == .whole(-(1 << 63) - 1))
        #expect(try read([2] + halves(1 << 63, 0)) == .whole(.min))
    }

    @Test(
        arguments: [
            (0, 5), (0, 1 << 63 - 1), (.max, .max), (.max, 1 << 63),
        ] as [(UInt64, UInt64)])
    func aNumberThatFitsACellIsRefusedAsHalves(high: UInt64, low: UInt64) {
        #expect(throws: ValetError.self) { try read([2] + halves(high, low)) }
    }

    @Test(arguments: [[3], [0, 0], [], [2, 0]] as [[UInt8]])
    func anotherFormIsRefused(value: [UInt8]) {
        #expect(throws: ValetError.self) { try read(value) }
    }
}
