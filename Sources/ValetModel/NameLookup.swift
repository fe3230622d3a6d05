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
