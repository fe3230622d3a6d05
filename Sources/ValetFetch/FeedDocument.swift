import ValetModel

/// One item of a feed: the texts of its fields, by name.
struct FeedItem: Equatable {
    var texts: [String: String] = [:]
}

/// An RSS or Atom document as its elements begin and end: a value, which keeps the fields that were
/// asked for.
///
/// A field is an element of an item, by its name as it is written (`title`, `dc:creator`). Several
/// elements of one name make one field. See `FeedTable.sources` for the names that both kinds of
/// feeds have.
struct FeedDocument {
    private let kind: SourceKind?
    private let wanted: Set<String>
    private var depth = 0
    /// Of the item; 0 outside of one.
    private var itemDepth = 0
    private var item = FeedItem()
    private var itemBytes = 0
    private var field: (name: String, text: String)?
    /// In an author, only the name counts.
    private var isSkipping = false
    private(set) var items: [FeedItem] = []
    private(set) var hasBegun = false

    init(_ options: FetchOptions) {
        kind = options.kind
        wanted = Set(options.fields.flatMap(FeedTable.sources))
    }

    mutating func began(_ name: String, _ attributes: [String: String]) throws(ValetError) {
        if !hasBegun { try checkRoot(name) }
        depth += 1
        guard depth <= Limits.depthOfSource else {
            throw .limit("elements inside each other", is: Limits.depthOfSource, asked: depth)
        }
        if itemDepth == 0 {
            guard name == "item" || name == "entry" else { return }
            itemDepth = depth
            item = FeedItem()
            itemBytes = 0
            if let about = attributes["rdf:about"] { try keep("rdf:about", about) }
        } else if depth == itemDepth + 1 {
            try beganField(name, attributes)
        } else if field?.name == "author" {
            isSkipping = name != "name"
        }
    }

    private mutating func beganField(
        _ name: String, _ attributes: [String: String]
    ) throws(ValetError) {
        isSkipping = false
        if name == "link", let address = attributes["href"] {
            if ["alternate", nil].contains(attributes["rel"]) { try keep("link", address) }
            return
        }
        if name == "category", let term = attributes["term"] { return try keep("category", term) }
        if name == "enclosure", let address = attributes["url"] {
            return try keep("enclosure", address)
        }
        if wanted.contains(name) { field = (name, "") }
    }

    mutating func ended() throws(ValetError) {
        depth -= 1
        isSkipping = false
        guard itemDepth > 0 else { return }
        if depth == itemDepth {
            guard let (name, text) = field.take() else { return }
            try keep(name, text)
        } else if depth < itemDepth {
            itemDepth = 0
            guard items.count < Limits.rowsPerSource else {
                throw .limit(
                    "items (rowsPerSource)", is: Limits.rowsPerSource, asked: items.count + 1)
            }
            items.append(item)
        }
    }

    mutating func found(_ text: String) throws(ValetError) {
        guard field != nil, !isSkipping else { return }
        field?.text += text
        let size = field?.text.utf8.count ?? 0
        guard size <= Limits.bytesPerSourceText else {
            throw .limit(
                "bytes of a text (bytesPerSourceText)", is: Limits.bytesPerSourceText, asked: size)
        }
    }

    /// A field that comes several times, such as a category, keeps all of its texts.
    private mutating func keep(_ name: String, _ text: String) throws(ValetError) {
        guard wanted.contains(name) else { return }
        let text = text.trimmingBlanks
        guard !text.isEmpty else { return }
        itemBytes += text.utf8.count
        guard itemBytes <= Limits.bytesPerSourceText else {
            throw .limit(
                "bytes of an item (bytesPerSourceText)", is: Limits.bytesPerSourceText,
                asked: itemBytes)
        }
        item.texts[name] = item.texts[name].map { $0 + ", " + text } ?? text
    }

    private mutating func checkRoot(_ name: String) throws(ValetError) {
        hasBegun = true
        let isRSS = ["rss", "rdf:RDF"].contains(name)
        guard isRSS || name == "feed" else {
            throw ValetError(.storageFailed, "its first element is neither “rss” nor “feed”")
        }
        if kind == .atom && isRSS { throw ValetError(.storageFailed, "it is RSS, not Atom") }
        if kind == .rss && !isRSS { throw ValetError(.storageFailed, "it is Atom, not RSS") }
    }
}

extension String {
    var trimmingBlanks: String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
        let start = unicodeScalars.firstIndex { !isBlank($0) } ?? endIndex
        let end = unicodeScalars.lastIndex { !isBlank($0) }
        return end.map { String(unicodeScalars[start...$0]) } ?? ""
    }
}
