import NIOCore
import ValetModel

/// A page, or a part of one: an encoding longer than a frame is split into parts, which are sent in
/// order but may interleave with frames of other pages. A frame with the given-up flag abandons an
/// unfinished page. Pages are sent on stream 0, so that the same bytes serve every client.
///
/// ```
/// flags bit 0   the encoding is an LZ4 block
/// flags bit 1   this continues the page's last part
/// flags bit 2   the page is given up: nothing stands behind the name
/// u64           name
/// varint        raw bytes of the page              only in the first part
/// varint        bytes of its encoding, all parts   only in the first part
/// the rest      the encoding, or the next part of it
/// ```
package struct PageFrame: Hashable, Sendable {
    package static let kind = FrameKind.page
    static let compressedFlag: UInt8 = 1
    static let continuationFlag: UInt8 = 2
    static let givenUpFlag: UInt8 = 4

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
    /// Present only in the first part.
    package var sizes: Sizes?
    /// Empty if the page is given up.
    package var part: ByteBuffer

    package var isGivenUp: Bool { part.readableBytes == 0 }

    package init(name: PageName, sizes: Sizes?, part: ByteBuffer) {
        self.name = name
        self.sizes = sizes
        self.part = part
    }

    /// The frame that abandons an unfinished page.
    package static func givingUp(_ name: PageName) -> ByteBuffer {
        var bytes = ByteBuffer()
        PageFrame(name: name, sizes: nil, part: ByteBuffer()).encode(into: &bytes)
        return bytes
    }

    private var flags: UInt8 {
        if isGivenUp { return Self.givenUpFlag }
        return sizes.map { $0.isCompressed ? Self.compressedFlag : 0 } ?? Self.continuationFlag
    }

    package func encode(into bytes: inout ByteBuffer) {
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
        let flags = [0, Self.compressedFlag, Self.continuationFlag, Self.givenUpFlag]
        guard flags.contains(frame.flags), frame.stream == 0 else {
            throw PayloadReader.malformed("page with unknown flags or a stream")
        }
        var reader = PayloadReader(frame.payload)
        name = PageName(rawValue: try reader.fixed64())
        if frame.flags == 0 || frame.flags == Self.compressedFlag {
            sizes = try Self.readSizes(&reader, isCompressed: frame.flags == Self.compressedFlag)
        }
        part = frame.payload
        part.moveReaderIndex(to: part.writerIndex - reader.remaining)
        guard isGivenUp == (frame.flags == Self.givenUpFlag),
            part.readableBytes <= sizes?.encodedBytes ?? .max
        else {
            throw PayloadReader.malformed("page part of \(part.readableBytes) bytes")
        }
    }

    private static func readSizes(
        _ reader: inout PayloadReader, isCompressed: Bool
    ) throws(ValetError) -> Sizes {
        let raw = try reader.count("raw bytes per page", atMost: Limits.rawBytesPerPage)
        let encoded = try reader.count()
        // An LZ4 byte expands to at most 255 bytes, so a small frame can't claim a large buffer.
        guard isCompressed ? encoded < raw && raw / 255 <= encoded : encoded == raw else {
            throw PayloadReader.malformed("page of \(raw) bytes encoded in \(encoded)")
        }
        return Sizes(rawBytes: raw, encodedBytes: encoded, isCompressed: isCompressed)
    }
}
