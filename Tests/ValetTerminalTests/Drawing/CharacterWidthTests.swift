import Foundation
import Testing

@testable import ValetTerminal

@Test(
    arguments: [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("한", 2),
        ("─", 1),
        ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("👍🏽", 2), ("\u{1100}\u{1161}\u{11A8}", 2),
    ] as [(String, Int)])
func aClusterTakesItsColumns(text: String, width: Int) {
    #expect(CharacterWidth.width(of: Character(text)) == width)
}

@Test(arguments: ["👨‍👩‍👧‍👦", "🇩🇪", "🇩", "❤️", "👍🏽", "नि"])
func terminalsDisagreeOnJoinedClusters(text: String) {
    #expect(CharacterWidth.isContentious(Character(text)))
}

@Test(arguments: ["a", "漢", "😀", "e\u{301}", "─", "한"])
func terminalsAgreeOnPlainClusters(text: String) {
    #expect(!CharacterWidth.isContentious(Character(text)))
}

@Test func theTablesAreInOrderAndNameTheirVersion() {
    for table in [CharacterWidth.zeroWidthRanges, CharacterWidth.wideRanges] {
        #expect(table.count.isMultiple(of: 2))
        for index in stride(from: 0, to: table.count, by: 2) {
            #expect(table[index] <= table[index + 1])
            if index > 0 { #expect(table[index] > table[index - 1]) }
        }
    }
    #expect(CharacterWidth.unicodeVersion.split(separator: ".").count == 3)
}

#if os(Linux)
    /// Against the C library, which made its table by itself.
    @Test func scalarsAreAsWideAsTheCLibrarySays() throws {
        /// Signs that stand over or around what follows them, and squares and hexagrams whose width
        /// Unicode itself has changed since.
        let known: [ClosedRange<UInt32>: (ours: Int, theirs: Int32)] = [
            0x600...0x605: (0, 1), 0x6DD...0x6DD: (0, 1), 0x70F...0x70F: (0, 1),
            0x890...0x891: (0, 1), 0x8E2...0x8E2: (0, 1), 0x110BD...0x110BD: (0, 1),
            0x110CD...0x110CD: (0, 1), 0x3248...0x324F: (1, 2), 0x4DC0...0x4DFF: (1, 2),
        ]
        // Its header hides it from Swift.
        typealias WidthOfScalar = @convention(c) (wchar_t) -> Int32
        let symbol = try #require(dlsym(nil, "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: WidthOfScalar.self)
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        var compared = 0
        var different: [String] = []
        for value in 0x20...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let theirs = wcwidth(wchar_t(bitPattern: value))
            guard theirs >= 0, let age = scalar.properties.age, age.major <= 15 else { continue }
            compared += 1
            let ours = CharacterWidth.width(of: scalar)
            let isKnown = known.contains {
                $0.key.contains(value) && $0.value == (ours, theirs)
            }
            if ours != Int(theirs), !isKnown {
                different.append("U+\(String(value, radix: 16)): \(ours), \(theirs)")
            }
        }
        #expect(different.isEmpty)
        #expect(compared > 100_000)
    }
#endif
