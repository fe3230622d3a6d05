import NIOCore
import ValetModel

/// A page, or a part of one: a page whose encoding is longer than a frame takes comes in parts, in
/// order, between which frames of other pages may stand. Stands on stream 0, so that the same bytes
/// serve every client.
///
/// ```
/// flags bit 0   the encoding is an LZ4 block
/// flags bit 1   this continues the page's last part
/// u64           name
/// varint        raw bytes of the page              not in a continuation
/// varint        bytes of its encoding, all parts   not in a continuation
/// the rest      the encoding, or the next part of it
/// ```
package struct PageFrame: Hashable, Sendable {
    package static let kind = FrameKind.page
    static let compressedFlag: UInt8 = 1
    static let continuationFlag: UInt8 = 2

    package struct Sizes: Hashable, Sendable {
        package var rawBytes: Int
        package var encodedBytes: Int
        package var isCompressed: Bool

        package init(rawBytes: Int, encodedBytes: Int, isCompressed: Bool) {
            self.rawBytes = rawBytes
            self.encodedBytes = encodedBytes
            self.isCompressed = isCompressed
        }
    }

    package var name: PageName
    /// nil in a continuation.
    package var sizes: Sizes?
    package var part: ByteBuffer

    package init(name: PageName, sizes: Sizes?, part: ByteBuffer) {
        self.name = name
        self.sizes = sizes
        self.part = part
    }

    package func encode(into bytes: inout ByteBuffer) {
        let flags = sizes.map { $0.isCompressed ? Self.compressedFlag : 0 } ?? Self.continuationFlag
        Frame.write(kind: Self.kind, flags: flags, stream: 0, into: &bytes) { payload in
            payload.writeFixed64(name.rawValue)
            if let sizes {
                payload.writeCount(sizes.rawBytes)
                payload.writeCount(sizes.encodedBytes)
            }
            payload.writeImmutableBuffer(part)
        }
    }

    package init(frame: Frame) throws(ValetError) {
        guard frame.flags <= Self.continuationFlag, frame.stream == 0 else {
            throw PayloadReader.malformed("page with unknown flags or a stream")
        }
        var reader = PayloadReader(frame.payload)
        name = PageName(rawValue: try reader.fixed64())
        if frame.flags != Self.continuationFlag {
            sizes = try Self.readSizes(&reader, isCompressed: frame.flags == Self.compressedFlag)
        }
        part = frame.payload
        part.moveReaderIndex(to: part.writerIndex - reader.remaining)
        guard part.readableBytes > 0, part.readableBytes <= sizes?.encodedBytes ?? .max else {
            throw PayloadReader.malformed("page part of \(part.readableBytes) bytes")
        }
    }

    private static func readSizes(
        _ reader: inout PayloadReader, isCompressed: Bool
    ) throws(ValetError) -> Sizes {
        let raw = try reader.count()
        guard raw <= Limits.rawBytesPerPage else {
            throw .limit("raw bytes per page", is: Limits.rawBytesPerPage, asked: raw)
        }
        let encoded = try reader.count()
        // A byte of an LZ4 block makes at most 255, so a small frame can't claim a large buffer.
        guard isCompressed ? encoded < raw && raw / 255 <= encoded : encoded == raw else {
            throw PayloadReader.malformed("page of \(raw) bytes encoded in \(encoded)")
        }
        return Sizes(rawBytes: raw, encodedBytes: encoded, isCompressed: isCompressed)
    }
}
