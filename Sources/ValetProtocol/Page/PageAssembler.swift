import NIOCore
import ValetModel

/// Puts the parts of pages together again: bytes are held only for pages that have begun.
package struct PageAssembler {
    private struct Partial {
        var sizes: PageFrame.Sizes
        var bytes: ByteBuffer
    }

    private var partials: [PageName: Partial] = [:]

    package init() {}

    /// The decoded page when `frame` completes it; nil when parts are still missing.
    package mutating func add(_ frame: PageFrame) throws(ValetError) -> DecodedPage? {
        guard var partial = try begin(frame) else {
            return try DecodedPage(encoding: frame.part, sizes: frame.sizes!)
        }
        partial.bytes.writeImmutableBuffer(frame.part)
        let missing = partial.sizes.encodedBytes - partial.bytes.readableBytes
        guard missing >= 0 else { throw PayloadReader.malformed("page longer than it said") }
        guard missing == 0 else {
            partials[frame.name] = partial
            return nil
        }
        return try DecodedPage(encoding: partial.bytes, sizes: partial.sizes)
    }

    /// The page's earlier parts, taken out; nil when `frame` alone is the whole page.
    private mutating func begin(_ frame: PageFrame) throws(ValetError) -> Partial? {
        guard let sizes = frame.sizes else {
            guard let partial = partials.removeValue(forKey: frame.name) else {
                throw PayloadReader.malformed("a page's later part without its first")
            }
            return partial
        }
        partials[frame.name] = nil
        if sizes.encodedBytes == frame.part.readableBytes { return nil }
        guard partials.count < Limits.partialPages else {
            throw .limit("partial pages", is: Limits.partialPages, asked: partials.count + 1)
        }
        return Partial(sizes: sizes, bytes: ByteBuffer())
    }
}
