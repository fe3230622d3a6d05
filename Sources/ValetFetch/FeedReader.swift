import Foundation
import ValetModel

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads the items of an RSS or Atom document: hands libxml2's events to a `FeedDocument`.
///
/// Documents that declare entities, or have elements of very many attributes, are refused before
/// they are parsed: libxml2 stops those that grow beyond measure and reads no other file, but takes
/// seconds for it.
final class FeedReader: NSObject, XMLParserDelegate {
    private var document: FeedDocument
    private var failure: ValetError?

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
        let parser = XMLParser(data: Data(text.bytes))
        parser.shouldResolveExternalEntities = false
        let reader = FeedReader(options)
        parser.delegate = reader
        let isParsed = parser.parse()
        if let failure = reader.failure { throw failure }
        // The parser takes a document that is cut off for a whole one.
        guard isParsed, reader.document.isComplete else {
            let line = max(parser.lineNumber, 1)
            guard reader.document.hasBegun else {
                throw ValetError(
                    .storageFailed, "line \(line): it is no XML, and RSS or Atom is expected")
            }
            throw ValetError(.storageFailed, "line \(line): the XML is malformed or cut off")
        }
        return reader.document.items
    }

    private func take(_ parser: XMLParser, _ event: (inout FeedDocument) throws(ValetError) -> Void)
    {
        guard failure == nil else { return }
        do throws(ValetError) {
            try event(&document)
        } catch {
            failure = error
            failure?.message = "line \(max(parser.lineNumber, 1)): \(error.message)"
            parser.abortParsing()
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        take(parser) { document throws(ValetError) in
            try document.began(name, attributes)
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        take(parser) { document throws(ValetError) in try document.ended() }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        take(parser) { document throws(ValetError) in try document.found(text) }
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        take(parser) { document throws(ValetError) in try document.found(text) }
    }
}
