import CXML
import ValetModel

/// Reads the items of an RSS or Atom document: hands libxml2's events to a `FeedDocument`.
///
/// Documents that declare entities, or have elements of very many attributes, are refused before
/// they are parsed: libxml2 stops those that grow beyond measure and reads no other file, but takes
/// seconds for it.
final class FeedReader {
    private var document: FeedDocument
    private var failure: ValetError?
    private var context: xmlParserCtxtPtr?

    private init(_ options: FetchOptions) { document = FeedDocument(options) }

    static func items(of bytes: [UInt8], _ options: FetchOptions) throws(ValetError) -> [FeedItem] {
        let text = try XMLText(of: bytes)
        let markup = XMLMarkup(of: text)
        guard !markup.hasDeclarations else {
            throw ValetError(
                .notAllowed, "its DOCTYPE has declarations, such as entities: they are not allowed")
        }
        guard markup.mostAttributes <= Limits.attributesPerElement else {
            throw .limit(
                "attributes of an element (attributesPerElement)", is: Limits.attributesPerElement,
                asked: markup.mostAttributes)
        }
        let reader = FeedReader(options)
        let (isParsed, line) = reader.parse(text.bytes)
        if let failure = reader.failure { throw failure }
        // The parser takes a document that is cut off for a whole one.
        guard isParsed, reader.document.isComplete else {
            guard reader.document.hasBegun else {
                throw ValetError(
                    .storageFailed, "line \(line): it is no XML, and RSS or Atom is expected")
            }
            throw ValetError(.storageFailed, "line \(line): the XML is malformed or cut off")
        }
        return reader.document.items
    }

    /// - Returns: whether the bytes are well formed, and the line that it came to.
    private func parse(_ bytes: [UInt8]) -> (isWellFormed: Bool, line: Int) {
        var handler = Self.handler
        let this = Unmanaged.passUnretained(self).toOpaque()
        guard let context = xmlCreatePushParserCtxt(&handler, this, nil, 0, nil) else {
            return (false, 1)
        }
        defer {
            self.context = nil
            xmlFreeParserCtxt(context)
        }
        self.context = context
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        var rest = bytes[...]
        while failure == nil, !rest.isEmpty {
            let chunk = rest.prefix(Self.bytesPerChunk)
            rest = rest.dropFirst(chunk.count)
            let isRead = chunk.withUnsafeBytes { chunk in
                xmlParseChunk(
                    context, chunk.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(chunk.count), 0) == 0
            }
            guard isRead else { return (false, line) }
        }
        let isEnded = xmlParseChunk(context, nil, 0, 1) == 0
        return (isEnded && context.pointee.wellFormed != 0, line)
    }

    private static let bytesPerChunk = 1 << 20

    private var line: Int { max(Int(xmlSAX2GetLineNumber(context)), 1) }

    private func take(_ event: (inout FeedDocument) throws(ValetError) -> Void) {
        guard failure == nil else { return }
        do throws(ValetError) {
            try event(&document)
        } catch {
            failure = error
            failure?.message = "line \(line): \(error.message)"
            xmlStopParser(context)
        }
    }

    // MARK: - libxml2

    /// Elements by their names as they are written.
    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.startElement = { reader, name, attributes in
            FeedReader.of(reader)?.take { document throws(ValetError) in
                try document.began(FeedReader.text(name), FeedReader.attributes(attributes))
            }
        }
        handler.endElement = { reader, _ in
            FeedReader.of(reader)?.take { document throws(ValetError) in try document.ended() }
        }
        let found: charactersSAXFunc = { reader, start, count in
            let bytes = UnsafeBufferPointer(start: start, count: Int(count))
            FeedReader.of(reader)?.take { document throws(ValetError) in
                try document.found(String(decoding: bytes, as: UTF8.self))
            }
        }
        handler.characters = found
        handler.ignorableWhitespace = found
        handler.cdataBlock = found
        return handler
    }

    private static func of(_ reader: UnsafeMutableRawPointer?) -> FeedReader? {
        reader.map { Unmanaged<FeedReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func text(_ name: UnsafePointer<xmlChar>?) -> String {
        name.map { String(cString: $0) } ?? ""
    }

    /// Names and values by turns, up to a null.
    private static func attributes(
        _ start: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) -> [String: String] {
        var attributes: [String: String] = [:]
        guard var next = start else { return [:] }
        while let name = next.pointee {
            attributes[text(name)] = text(next[1])
            next += 2
        }
        return attributes
    }
}
