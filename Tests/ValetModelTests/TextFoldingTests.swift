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
])
func aTextHasThisFoldedForm(text: String, form: String) {
    #expect(Array(folded(text).unicodeScalars) == Array(form.unicodeScalars))
}

@Test func combiningMarksAloneFoldToNothing() {
    #expect(folded("\u{301}\u{300}\u{34F}\u{5B0}\u{E0100}") == "")
}

@Test func theMarkThatFoldsToALetterStays() {
    #expect(folded("\u{345}") == "ι")
}

@Test func marksThatStayAreBroughtIntoCanonicalOrder() {
    // Classes 224, 216 and 9.
    #expect(folded("a\u{302E}\u{1D165}\u{1B44}b") == "a\u{1B44}\u{1D165}\u{302E}b")
    #expect(folded("\u{302E}\u{301}\u{1D165}") == "\u{1D165}\u{302E}")
    #expect(folded("\u{1D15E}\u{1B44}") == "\u{1D157}\u{1B44}\u{1D165}")
}

@Test func marksOfOneClassKeepTheirOrder() {
    #expect(folded("a\u{302F}\u{302E}\u{302F}") == "a\u{302F}\u{302E}\u{302F}")
}

@Test func aRemovedMarkOfClassZeroKeepsTheMarksAroundItApart() {
    #expect(folded("\u{302E}\u{34F}\u{1D165}") == "\u{302E}\u{1D165}")
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
