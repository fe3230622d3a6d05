import Testing
import ValetModel

private func folded(_ bytes: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    bytes.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
    return folded
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
