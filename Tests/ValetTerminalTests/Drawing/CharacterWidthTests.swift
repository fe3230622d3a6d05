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
