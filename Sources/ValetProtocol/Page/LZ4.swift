import CLZ4
import NIOCore
import ValetModel

/// LZ4's block format, between byte buffers.
package enum LZ4 {
    /// Of the library.
    package static var version: String { String(cString: LZ4_versionString()) }

    /// The compressed block; nil if it would not be smaller than `raw`.
    package static func compress(_ raw: ByteBuffer) -> ByteBuffer? {
        let rawCount = raw.readableBytes
        // This also keeps empty buffers, which may have no address, away from liblz4.
        guard rawCount > 16 else { return nil }
        var block = ByteBufferAllocator().buffer(capacity: rawCount - 1)
        let written = block.writeWithUnsafeMutableBytes(minimumWritableBytes: rawCount - 1) { out in
            raw.withUnsafeReadableBytes { bytes in
                Int(
                    LZ4_compress_default(
                        bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
                        out.baseAddress!.assumingMemoryBound(to: CChar.self),
                        Int32(rawCount), Int32(rawCount - 1)))
            }
        }
        return written > 0 ? block : nil
    }

    /// Decompresses a block to exactly `rawBytes` bytes, a number that the caller has checked. A
    /// block of any other size is malformed; liblz4 never writes past the buffer's end.
    package static func decompress(
        _ block: ByteBuffer, rawBytes: Int
    ) throws(ValetError) -> ByteBuffer {
        guard rawBytes > 0, block.readableBytes > 0 else {
            throw PayloadReader.malformed("an empty LZ4 block")
        }
        var raw = ByteBufferAllocator().buffer(capacity: rawBytes)
        var result: Int32 = -1
        raw.writeWithUnsafeMutableBytes(minimumWritableBytes: rawBytes) { out in
            result = block.withUnsafeReadableBytes { bytes in
                LZ4_decompress_safe(
                    bytes.baseAddress!.assumingMemoryBound(to: CChar.self),
                    out.baseAddress!.assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count), Int32(rawBytes))
            }
            return max(0, Int(result))
        }
        guard Int(result) == rawBytes else {
            throw PayloadReader.malformed("bytes that do not decompress to \(rawBytes) bytes")
        }
        return raw
    }
}
