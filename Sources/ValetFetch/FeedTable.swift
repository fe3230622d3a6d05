import ValetModel

/// The items of a feed as CSV.
package enum FeedTable {
    /// What RSS and Atom have in common, each under one name: these are made of the elements that
    /// each kind has for it. Any other field is the element of that name.
    package static let standardFields = [
        "id", "title", "link", "author", "published", "updated", "category", "summary",
    ]

    /// The elements that a field is made of: the first that an item has.
    static func sources(of field: String) -> [String] {
        switch field {
        case "id": ["guid", "id", "rdf:about", "link", "title"]
        case "author": ["author", "dc:creator", "itunes:author"]
        case "published": ["pubDate", "published", "dc:date", "updated"]
        case "updated": ["updated", "atom:updated", "pubDate", "published", "dc:date"]
        case "category": ["category", "dc:subject"]
        case "summary": ["description", "summary", "content:encoded", "content"]
        default: [field]
        }
    }

    static func csv(of items: [FeedItem], fields: [String]) -> [UInt8] {
        items.reduce(into: line(of: fields)) { bytes, item in
            bytes += line(of: fields.map { text($0, of: item) })
        }
    }

    private static func line(of texts: [String]) -> [UInt8] {
        Array((texts.map(\.inDoubleQuotes).joined(separator: ",") + "\r\n").utf8)
    }

    private static func text(_ field: String, of item: FeedItem) -> String {
        let text = sources(of: field).lazy.compactMap { item.texts[$0] }.first ?? ""
        return switch field {
        case "published", "updated": FeedDate.iso8601(text) ?? text
        case "summary", "title": PlainText.text(ofHTML: text)
        default: text
        }
    }
}
