/// How many columns a grapheme cluster takes.
///
/// Terminals agree about single scalars (East Asian Width) and plain combining marks. They disagree
/// about clusters that Unicode joins by rules of their own: emoji joined by ZWJ, flags, variation
/// selectors, spacing marks. For those this gives the columns that we *reserve*; `isContentious`
/// tells the renderer to put the cursor back itself.
package enum CharacterWidth {
    /// 0, 1 or 2. A cluster of width 0 has nothing to stand on; the sanitizer gives it a base.
    package static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value < 0x7F, scalars.count == 1 { return 1 }
        var sum = 0
        for scalar in scalars {
            if scalar.value == emojiSelector || isRegionalIndicator(scalar) { return 2 }
            sum += width(of: scalar)
        }
        return min(sum, 2)
    }

    package static func width(of scalar: Unicode.Scalar) -> Int {
        // The first zero-width scalar is U+0300, the first wide one U+1100.
        if scalar.value < 0x300 { return 1 }
        if contains(zeroWidthRanges, scalar.value) { return 0 }
        return contains(wideRanges, scalar.value) ? 2 : 1
    }

    /// True when terminals may move the cursor by another number of columns than `width(of:)`.
    package static func isContentious(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return false }
        if isRegionalIndicator(first) { return true }
        return scalars.dropFirst().contains { scalar in
            scalar.value == zeroWidthJoiner || isVariationSelector(scalar) || !isPlainMark(scalar)
        }
    }

    static let zeroWidthJoiner: UInt32 = 0x200D
    private static let emojiSelector: UInt32 = 0xFE0F

    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
    }

    /// A sign that emoji are made of.
    static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0xA9 && scalar.properties.isEmoji
    }

    /// A letter or vowel of a script in which neighbours shape each other: from Hebrew on, without
    /// the signs between U+2000 and U+9FFF and those of the later planes.
    static func isShaped(_ scalar: Unicode.Scalar) -> Bool {
        (0x590..<0x1E00).contains(scalar.value) || (0xA800..<0xAC00).contains(scalar.value)
            || (0xFB1D..<0xFE00).contains(scalar.value) || (0xFE70..<0xFF00).contains(scalar.value)
            || (0x10800..<0x12000).contains(scalar.value)
    }

    /// A mark that all terminals draw over the cell before.
    private static func isPlainMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Binary search in pairs of first and last.
    private static func contains(_ ranges: [UInt32], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if value > ranges[2 * middle + 1] {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return 2 * low < ranges.count && ranges[2 * low] <= value
    }
}
