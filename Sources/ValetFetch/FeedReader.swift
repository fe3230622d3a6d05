import CExpat
import ValetModel

/// Reads the items of an RSS or Atom document: hands Expat's events to a `FeedDocument`.
///
/// Documents that declare entities are refused: the little that feeds need is built in, and what
/// they declare grows beyond measure. Expat reads no other file.
final class FeedReader {
    private var document: FeedDocument
    private var failure: ValetError?
    private let parser: XML_Parser

    private init(_ options: FetchOptions) throws(ValetError) {
        // Whatever the document says of its encoding.
        guard let parser = XML_ParserCreate("UTF-8") else {
            throw ValetError(.unexpected, "there is no memory for reading XML")
        }
        self.parser = parser
        document = FeedDocument(options)
    }

    deinit { XML_ParserFree(parser) }

    static func items(of bytes: [UInt8], _ options: FetchOptions) throws(ValetError) -> [FeedItem] {
        let reader = try FeedReader(options)
        let isWellFormed = reader.parse(try XMLText(of: bytes).bytes)
        if let failure = reader.failure { throw failure }
        guard isWellFormed else {
            throw ValetError(
                .storageFailed,
                reader.document.hasBegun
                    ? "line \(reader.line): the XML is malformed or cut off"
                    : "line \(reader.line): it is no XML, and RSS or Atom is expected")
        }
        return reader.document.items
    }

    private func parse(_ bytes: [UInt8]) -> Bool {
        hear()
        var rest = bytes[...]
        repeat {
            let chunk = rest.prefix(Self.bytesPerChunk)
            rest = rest.dropFirst(chunk.count)
            let status = chunk.withUnsafeBytes { chunk in
                XML_Parse(
                    parser, chunk.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(chunk.count), rest.isEmpty ? 1 : 0)
            }
            guard status == XML_STATUS_OK else { return false }
        } while !rest.isEmpty
        return true
    }

    private static let bytesPerChunk = 1 << 20

    private var line: Int { max(Int(clamping: XML_GetCurrentLineNumber(parser)), 1) }

    // MARK: What Expat finds

    /// Elements come by their names as they are written.
    private func hear() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, hasDeclarations in
            guard hasDeclarations != 0 else { return }
            FeedReader.take(reader) { _ throws(ValetError) in
                throw ValetError(
                    .notAllowed,
                    "its DOCTYPE has declarations, such as entities: they are not allowed")
            }
        }
        XML_SetElementHandler(parser) { reader, name, attributes in
            FeedReader.take(reader) { document throws(ValetError) in
                try document.began(
                    FeedReader.text(name), try FeedReader.attributes(attributes))
            }
        } _: { reader, _ in
            FeedReader.take(reader) { document throws(ValetError) in try document.ended() }
        }
        XML_SetCharacterDataHandler(parser) { reader, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
            FeedReader.take(reader) { document throws(ValetError) in
                try document.found(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    private static func take(
        _ pointer: UnsafeMutableRawPointer?,
        _ event: (inout FeedDocument) throws(ValetError) -> Void
    ) {
        guard let pointer else { return }
        let reader = Unmanaged<FeedReader>.fromOpaque(pointer).takeUnretainedValue()
        // Some events follow even after the parser was stopped.
        guard reader.failure == nil else { return }
        do throws(ValetError) {
            try event(&reader.document)
        } catch {
            reader.failure = error
            reader.failure?.message = "line \(reader.line): \(error.message)"
            XML_StopParser(reader.parser, 0)
        }
    }

    private static func text(_ name: UnsafePointer<CChar>?) -> String {
        name.map { String(cString: $0) } ?? ""
    }

    /// Names and values by turns, up to a null.
    private static func attributes(
        _ start: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) throws(ValetError) -> [String: String] {
        var attributes: [String: String] = [:]
        guard var next = start else { return [:] }
        while let name = next.pointee {
            attributes[text(name)] = text(next[1])
            guard attributes.count <= Limits.attributesPerElement else {
                throw .limit(
                    "attributes of an element (attributesPerElement)",
                    is: Limits.attributesPerElement, asked: attributes.count)
            }
            next += 2
        }
        return attributes
    }
}
