import Testing
import ValetModel

private func firstLetter(_ text: String) -> String? {
    TextFolding.firstLetter(ofFolded: TextFolding.fold(text))
        .flatMap { Unicode.Scalar($0) }.map { String($0) }
}

@Test(arguments: [
    ("Citroën", "C"), ("éclair", "E"), ("Škoda", "S"), ("ß", "S"), ("ﬁ", "F"), ("ø", "Ø"),
    ("æ", "Æ"), ("ω", "Ω"), ("Жигули", "Ж"), ("й", "И"), ("각", "ᄀ"), ("日産", "日"), ("が", "か"),
    ("\u{301}a", "A"), ("ꭰ", "Ꭰ"), ("ა", "Ა"), ("\u{10428}", "\u{10400}"), ("ı", "I"),
    ("ǆ", "Ǆ"), ("ª", "ª"), ("\u{323AF}", "\u{323AF}"),
])
func theFirstLetterIsUpperCase(text: String, letter: String) {
    #expect(firstLetter(text) == letter)
}

@Test(arguments: [
    "", "\u{301}", "1 Series", " a", "_", "@", "[", "`", "{", "№", "Ⅳ", "①", "😀", "٣", "\u{FFFD}",
    "\u{323B0}", "\u{10FFFF}", "\u{302E}", "\u{E000}",
])
func aTextThatBeginsWithNoLetterHasNone(text: String) {
    #expect(firstLetter(text) == nil)
}

@Test func brokenBytesHaveNoFirstLetter() {
    #expect(TextFolding.firstLetter(ofFolded: [0xC3]) == nil)
    #expect(TextFolding.firstLetter(ofFolded: [0xFF, 0x61]) == nil)
}

/// The standard library's data may be of a later Unicode version than the table's: scalars that
/// came after it, as letters or as some letter's upper case, are left out.
@Test func everyFirstLetterIsAsTheStandardLibrarySays() {
    for value in UInt32(0)...0x10FFFF {
        guard let scalar = Unicode.Scalar(value), isInTable(scalar) else { continue }
        let form = String(decoding: TextFolding.fold(String(scalar)), as: UTF8.self)
        let expected = form.unicodeScalars.first.flatMap(upperCase)
        let letter = firstLetter(String(scalar))
        if letter != expected {
            Issue.record("U+\(String(value, radix: 16)): \(letter ?? "#"), \(expected ?? "#")")
        }
    }
}

private func isInTable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.age.map { $0.major < 15 || ($0.major == 15 && $0.minor == 0) } ?? false
}

private func upperCase(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
        let upper = Array(scalar.properties.uppercaseMapping.unicodeScalars)
        return upper.count == 1 && isInTable(upper[0]) ? String(upper[0]) : String(scalar)
    default:
        return nil
    }
}
