import NIOCore
import ValetModel

/// Reassembles pages from their parts. It buffers unfinished pages only, and no more bytes than
/// credit allows in flight.
package struct PageAssembler {
    private struct Partial {
        var sizes: PageFrame.Sizes
        var bytes: ByteBuffer
    }

    private var partials: [PageName: Partial] = [:]
    private var heldBytes = 0

    package init() {}

    /// The page if `frame` completes it; nil while parts are missing.
    package mutating func add(_ frame: PageFrame) throws(ValetError) -> RawPage? {
        if frame.isGivenUp {
            guard takePartial(frame.name) != nil else {
                throw PayloadReader.malformed("a page given up that was not begun")
            }
            return nil
        }
        if let sizes = frame.sizes, sizes.encodedBytes == frame.part.readableBytes {
            _ = takePartial(frame.name)
            return try RawPage(encoding: frame.part, sizes: sizes)
        }
        var partial = try begin(frame)
        partial.bytes.writeImmutableBuffer(frame.part)
        let missing = partial.sizes.encodedBytes - partial.bytes.readableBytes
        guard missing >= 0 else { throw PayloadReader.malformed("page longer than it said") }
        guard missing == 0 else {
            heldBytes += partial.bytes.readableBytes
            guard heldBytes <= Limits.creditBytes else {
                throw .limit("bytes of partial pages", is: Limits.creditBytes, asked: heldBytes)
            }
            partials[frame.name] = partial
            return nil
        }
        return try RawPage(encoding: partial.bytes, sizes: partial.sizes)
    }

    /// Removes and returns the page's earlier parts: none for a first part, even if it restarts the
    /// page.
    private mutating func begin(_ frame: PageFrame) throws(ValetError) -> Partial {
        guard let sizes = frame.sizes else {
            guard let partial = takePartial(frame.name) else {
                throw PayloadReader.malformed("a page's later part without its first")
            }
            return partial
        }
        _ = takePartial(frame.name)
        guard partials.count < Limits.partialPages else {
            throw .limit("partial pages", is: Limits.partialPages, asked: partials.count + 1)
        }
        return Partial(sizes: sizes, bytes: ByteBuffer())
    }

    /// Removed rather than copied, so that appending to it does not copy the bytes.
    private mutating func takePartial(_ name: PageName) -> Partial? {
        guard let partial = partials.removeValue(forKey: name) else { return nil }
        heldBytes -= partial.bytes.readableBytes
        return partial
    }
}
