/// What a list is loaded from: the words of a catalog's `kind`.
package enum SourceKind: String, Sendable, CaseIterable {
    case csv
    case rss
    case atom

    /// By the end of the file's name; nil if that does not say.
    package init?(ofFile name: String) {
        let name = name.lowercased()
        guard [".csv", ".tsv", ".tab", ".txt"].contains(where: name.hasSuffix) else { return nil }
        self = .csv
    }

    package static func isURL(_ source: String) -> Bool {
        let source = source.lowercased()
        return source.hasPrefix("http://") || source.hasPrefix("https://")
    }
}
