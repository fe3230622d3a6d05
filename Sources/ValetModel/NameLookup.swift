/// Finds what a typed name means: an exact match wins, else a match of the folded names.
public enum NameLookup {
    public static func index<Element>(
        of name: String, in elements: [Element], by elementName: (Element) -> String
    ) -> Int? {
        let exact = elements.firstIndex { elementName($0).utf8.elementsEqual(name.utf8) }
        if let exact { return exact }
        let folded = TextFolding.fold(name)
        return elements.firstIndex { TextFolding.fold(elementName($0)) == folded }
    }
}

/// The same for names that are looked up again and again, in one step each.
package struct NameIndex: Sendable {
    private var exact: [[UInt8]: Int] = [:]
    private var folded: [[UInt8]: Int] = [:]

    /// Of two equal names the first counts.
    package init(_ names: [String]) {
        for (index, name) in names.enumerated() {
            let (bytes, fold) = (Array(name.utf8), TextFolding.fold(name))
            if exact[bytes] == nil { exact[bytes] = index }
            if folded[fold] == nil { folded[fold] = index }
        }
    }

    package subscript(name: String) -> Int? {
        exact[Array(name.utf8)] ?? folded[TextFolding.fold(name)]
    }
}
