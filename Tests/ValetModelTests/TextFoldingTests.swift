import Testing
import ValetModel

private func folded(_ text: String) -> String {
    String(decoding: TextFolding.fold(text), as: UTF8.self)
}

private func folded(_ bytes: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    bytes.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
    return folded
}

@Test(arguments: [
    ("Citroën", "citroen"), ("Straße", "STRASSE"), ("straẞe", "Strasse"), ("Škoda", "SKODA"),
    ("Zoé", "Zoe\u{301}"), ("ÅNGSTRÖM", "a\u{30A}ngstro\u{308}m"), ("\u{212B}", "å"),
    ("ΣΊΣΥΦΟΣ", "σισυφος"), ("ﬁnance", "FINANCE"), ("ﬃ", "ffi"), ("ŉ", "ʼN"),
    ("\u{1F80}", "αι"), ("α\u{345}", "ᾳ"), ("ᾳ", "ΑΙ"), ("ᾼ", "αι"),
    ("Ꮳ", "ꮳ"), ("İ", "i"), ("Ж", "ж"), ("Й", "и"), ("\u{1F5}", "g"),
    ("\u{2126}", "ω"), ("K", "k"), ("ſ", "S"), ("Ǆ", "ǆ"), ("\u{565}\u{582}", "\u{587}"),
])
func textsThatDifferInCaseAndMarksFoldAlike(one: String, other: String) {
    #expect(folded(one) == folded(other))
}

@Test(arguments: [
    ("a", "b"), ("I", "ı"), ("ø", "o"), ("æ", "ae"), ("Ⅳ", "IV"), ("①", "1"), ("ａ", "a"),
    ("が", "ga"),
])
func textsThatDifferInMoreFoldApart(one: String, other: String) {
    #expect(folded(one) != folded(other))
}

@Test(arguments: [
    ("Citroën", "citroen"), ("Straße", "strasse"), ("", ""), ("Ⅳ", "ⅳ"), ("Ａ", "ａ"), ("が", "か"),
    ("각", "\u{1100}\u{1161}\u{11A8}"), ("가", "\u{1100}\u{1161}"), ("힣", "\u{1112}\u{1175}\u{11C2}"),
    ("\u{F900}", "\u{8C48}"), ("\u{2F800}", "\u{4E3D}"), ("Ꭰ", "Ꭰ"), ("ꭰ", "Ꭰ"), ("Ა", "ა"),
    ("\u{E0101}", ""), ("❤\u{FE0F}", "❤"), ("\u{10FFFF}", "\u{10FFFF}"), ("😀", "😀"),
    // Combining marks alone fold to nothing, but for the one that folds to a letter.
    ("\u{301}\u{300}\u{34F}\u{5B0}\u{E0100}", ""), ("\u{345}", "ι"),
    // Marks that stay are brought into canonical order: their classes are 224, 216 and 9.
    ("a\u{302E}\u{1D165}\u{1B44}b", "a\u{1B44}\u{1D165}\u{302E}b"),
    ("\u{302E}\u{301}\u{1D165}", "\u{1D165}\u{302E}"),
    ("\u{1D15E}\u{1B44}", "\u{1D157}\u{1B44}\u{1D165}"),
    // Marks of one class keep their order, and a removed one of class 0 keeps others apart.
    ("a\u{302F}\u{302E}\u{302F}", "a\u{302F}\u{302E}\u{302F}"),
    ("\u{302E}\u{34F}\u{1D165}", "\u{302E}\u{1D165}"),
])
func aTextHasThisFoldedForm(text: String, form: String) {
    #expect(Array(folded(text).unicodeScalars) == Array(form.unicodeScalars))
}

@Test func theOrderOfMarksHoldsOverMoreMarksThanAnyBuffer() {
    let count = 3_000
    let text = "a" + String(repeating: "\u{302E}\u{1D165}", count: count) + "b"
    let form =
        String(repeating: "\u{1D165}", count: count) + String(repeating: "\u{302E}", count: count)
    #expect(folded(text) == "a" + form + "b")
}

@Test func aTextLongerThanAnyBufferFoldsLikeItsParts() {
    for part in ["Citroën ", "ABCDEFGH", "각", "\u{1D160}x", "ﬃ", "\u{301}É"] {
        let text = String(repeating: part, count: 700)
        #expect(folded(text) == String(repeating: folded(part), count: 700))
    }
}

@Test func foldingAppends() {
    var bytes = Array("kept ".utf8)
    Array("Citroën".utf8).withUnsafeBytes { TextFolding.fold($0, into: &bytes) }
    #expect(bytes == Array("kept citroen".utf8))
    UnsafeRawBufferPointer(start: nil, count: 0).withMemoryRebound(to: UInt8.self) {
        TextFolding.fold(UnsafeRawBufferPointer($0), into: &bytes)
    }
    #expect(bytes == Array("kept citroen".utf8))
}

@Test func everyASCIITextFoldsToItsLowerCase() {
    let all = (0..<0x80).map { UInt8($0) }
    let lower = all.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    for start in 0..<17 {
        #expect(folded(Array(all[start...])) == Array(lower[start...]))
    }
}

@Test func onlyASCIIWithoutUpperCaseIsItsOwnFoldedFormAtOnce() {
    func isFolded(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { TextFolding.isASCIIFolded($0) }
    }
    for text in ["", "a", "x5", "a long text of more than eight bytes", "[`@{", "\u{7F}\u{0}"] {
        #expect(isFolded(text), "\(text)")
        for letter in ["A", "Z", "é", "\u{301}"] {
            #expect(!isFolded(text + letter), "\(text + letter)")
            #expect(!isFolded(letter + text), "\(letter + text)")
        }
    }
}

@Test func foldingEveryScalarAgainChangesNothing() {
    for value in UInt32(0)...0x10FFFF {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let once = TextFolding.fold(String(scalar))
        if folded(once) != once { Issue.record("U+\(String(value, radix: 16))") }
    }
}

@Test(arguments: [UInt64(1), 2, 3, 4])
func foldingARandomTextAgainChangesNothing(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<2_000 {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let limit: UInt32 = Bool.random(using: &random) ? 0x3_0000 : 0x600
            text.append(Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) ?? "x")
        }
        let once = TextFolding.fold(String(text))
        #expect(folded(once) == once, "seed \(seed): \(text.map { String($0.value, radix: 16) })")
    }
}

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

private let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

@Test(
    arguments: [
        // Lone continuation, lead without it, lead at the end.
        ([0x80], 1), ([0xC3], 1), ([0xC3, 0x41], 1), ([0xE2, 0x82], 1), ([0xF0, 0x9F, 0x98], 1),
        // Overlong forms, surrogates, above U+10FFFF: no second byte fits, each byte stands alone.
        ([0xC0, 0x80], 2), ([0xE0, 0x80, 0x80], 3), ([0xED, 0xA0, 0x80], 3),
        ([0xF0, 0x80, 0x80], 3),
        ([0xF4, 0x90, 0x80, 0x80], 4), ([0xF5, 0x80, 0x80, 0x80], 4), ([0xFF, 0xFE], 2),
        // The example of table 3-8.
        ([0xE1, 0x80, 0xE2, 0xF0, 0x91, 0x92, 0xF1, 0xBF, 0x41], 4),
    ] as [([UInt8], Int)])
func eachMaximalSubpartOfBrokenTextIsOneReplacement(bytes: [UInt8], count: Int) {
    let text = folded(bytes).filter { $0 != 0x61 }
    #expect(text == Array(repeatElement(replacement, count: count).joined()))
    #expect(folded(Array("É".utf8) + bytes) == [0x65] + folded(bytes))
}

@Test func theReplacementCharacterItselfIsText() {
    #expect(folded(replacement) == replacement)
}

@Test(arguments: [UInt64(11), 12, 13])
func brokenTextFoldsLikeItsRepairedForm(seed: UInt64) {
    // Bytes around the bounds of the forms, so that most sequences are nearly right.
    let palette: [UInt8] = [
        0x00, 0x41, 0x5A, 0x61, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2,
        0xC3, 0xCC, 0xDF, 0xE0, 0xE1, 0xEA, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    var random = SeededNumbers(seed: seed)
    for _ in 0..<20_000 {
        let bytes = (0..<Int.random(in: 1...24, using: &random)).map { _ in
            palette.randomElement(using: &random) ?? 0
        }
        let repaired = TextFolding.fold(String(decoding: bytes, as: UTF8.self))
        #expect(folded(bytes) == repaired, "seed \(seed): \(bytes)")
        #expect(folded(bytes).count <= 3 * bytes.count)
    }
}

@Test func everyCutOfATextFoldsWithoutATrap() {
    let bytes = Array("Citroën Škoda 각 😀 \u{1D160} ﬃ e\u{301}".utf8)
    for start in bytes.indices {
        for end in start...bytes.count {
            let part = Array(bytes[start..<end])
            #expect(folded(part) == TextFolding.fold(String(decoding: part, as: UTF8.self)))
        }
    }
}
