import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct PayloadReaderTests {
    private func read<Value>(
        _ bytes: [UInt8], _ body: (inout PayloadReader) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        var reader = PayloadReader(ByteBuffer(bytes: bytes))
        let value = try body(&reader)
        try reader.finish()
        return value
    }

    @Test(
        arguments: [
            0, 1, 127, 128, 16_383, 16_384, 1 << 32 - 1, 1 << 32, 1 << 53 - 1, 1 << 53, 1 << 63,
            .max,
        ] as [UInt64])
    func aVarintComesBack(_ value: UInt64) throws {
        var bytes = ByteBuffer()
        bytes.writeVarint(value)
        let back = try read(Array(bytes.readableBytesView)) { reader throws(ValetError) in
            try reader.varint()
        }
        #expect(back == value)
        #expect(bytes.readableBytes == max(1, (64 - value.leadingZeroBitCount + 6) / 7))
    }

    @Test(
        arguments: [
            [], [0x80], [0x80, 0], [0xFF, 0], [0x80, 0x80, 0],
            Array(repeating: 0xFF, count: 9) + [0x02],
            Array(repeating: 0xFF, count: 9) + [0x81, 0],
            Array(repeating: 0x80, count: 9) + [0], Array(repeating: 0x80, count: 100),
        ] as [[UInt8]])
    func aVarintThatIsLongerThanNeededOrTooLargeIsMalformed(_ bytes: [UInt8]) {
        let error = failure {
            try read(bytes) { reader throws(ValetError) in try reader.varint() }
        }
        #expect(error?.code == .malformed)
    }

    @Test(
        arguments: [
            (0, [0]), (-1, [1]), (1, [2]), (-64, [0x7F]), (64, [0x80, 0x01]),
            (.max, [0xFE] + Array(repeating: 0xFF, count: 8) + [0x01]),
            (.min, Array(repeating: 0xFF, count: 9) + [0x01]),
        ] as [(Int64, [UInt8])])
    func aSignedNumberIsZigzag(_ value: Int64, _ expected: [UInt8]) throws {
        var bytes = ByteBuffer()
        bytes.writeSigned(value)
        #expect(Array(bytes.readableBytesView) == expected)
        let back = try read(expected) { reader throws(ValetError) in try reader.signed() }
        #expect(back == value)
    }

    @Test func aCountEndsWhereSumsStillFit() throws {
        func count(_ value: UInt64) throws(ValetError) -> Int {
            var bytes = ByteBuffer()
            bytes.writeVarint(value)
            return try read(Array(bytes.readableBytesView)) { reader throws(ValetError) in
                try reader.count()
            }
        }
        #expect(try count(1 << 53 - 1) == 1 << 53 - 1)
        for value: UInt64 in [1 << 53, 1 << 63 - 1, 1 << 63, .max] {
            #expect(failure { try count(value) }?.code == .malformed)
        }
    }

    @Test func aListOfMoreItemsThanBytesIsNotBegun() {
        let error = failure {
            try read([100, 1, 2]) { reader throws(ValetError) in
                try reader.list(of: "things", limit: 1_000) { _ throws(ValetError) in
                    Issue.record("an item was read")
                }
            }
        }
        #expect(error?.code == .malformed)
    }
}

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
        arguments: [(0, 5), (0, 1 << 63 - 1), (.max, .max), (.max, 1 << 63)] as [(UInt64, UInt64)])
    func aNumberThatFitsACellIsRefusedAsHalves(high: UInt64, low: UInt64) {
        #expect(throws: ValetError.self) { try read([2] + halves(high, low)) }
    }

    @Test(arguments: [[3], [0, 0], [], [2, 0]] as [[UInt8]])
    func anotherFormIsRefused(value: [UInt8]) {
        #expect(throws: ValetError.self) { try read(value) }
    }
}
