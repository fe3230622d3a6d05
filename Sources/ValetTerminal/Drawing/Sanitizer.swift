/// What may stand in a cell: one grapheme cluster that moves nothing but the cursor, by its width.
package struct Glyph: Hashable, Sendable {
    package let character: Character
    /// 1 or 2.
    package let width: Int
}

/// The gate between text and the terminal. Bytes from a database are hostile until shown to be
/// text.
///
/// `Screen` lets nothing in but the glyphs that this type makes, and bytes that `plainCount` has
/// found to be plain, so no row can reach the terminal as an escape sequence, turn the line round,
/// or pile a thousand marks on one cell. What is not safe becomes a visible mark: control pictures
/// (␛) for C0 and DEL, `·` for what would be invisible or steer the text, U+FFFD for C1 and for
/// what is no character; `?` for all in ASCII.
package struct Sanitizer: Sendable {
    package var isASCII: Bool

    package init(isASCII: Bool = false) {
        self.isASCII = isASCII
    }

    /// Marks kept on one base. Vietnamese needs two, Hebrew and Arabic with vowels three.
    static let marksPerCluster = 4
    /// Scalars kept of a joined emoji: the longest in use has ten.
    static let scalarsPerCluster = 12

    /// Calls `body` with the glyphs of `text` in order, until it answers false.
    package func forEachGlyph(in text: some StringProtocol, _ body: (Glyph) -> Bool) {
        for character in text {
            let utf8 = character.utf8
            if utf8.count == 1, utf8.first.map(Self.isPlain) == true {
                guard body(Glyph(character: character, width: 1)) else { return }
            } else {
                guard visit(character, body) else { return }
            }
        }
    }

    package func glyphs(of text: some StringProtocol) -> [Glyph] {
        var glyphs: [Glyph] = []
        forEachGlyph(in: text) { glyph in
            glyphs.append(glyph)
            return true
        }
        return glyphs
    }

    /// `text` as one line with nothing in it that steers a terminal.
    package func line(of text: some StringProtocol) -> String {
        var (line, rest) = ("", Substring(text))
        while let strange = rest.utf8.firstIndex(where: { !Self.isPlain($0) }) {
            // The character before it may be its base, and the one behind it may belong to it; two
            // that are plain are two glyphs.
            let first = strange == rest.startIndex ? strange : rest.utf8.index(before: strange)
            line += rest[..<first]
            var wasPlain = false
            let end = rest.utf8[strange...].firstIndex { byte in
                defer { wasPlain = Self.isPlain(byte) }
                return wasPlain && Self.isPlain(byte)
            }
            forEachGlyph(in: rest[first..<(end ?? rest.endIndex)]) { glyph in
                line.append(glyph.character)
                return true
            }
            rest = rest[(end ?? rest.endIndex)...]
        }
        return line + rest
    }

    /// - Parameter isForTerminal: if false, only control characters and line separators are shown
    ///   by marks: whatever else can't be seen belongs to the text.
    package func line(of text: String, isForTerminal: Bool) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0x2028...0x2029).contains(scalar.value)
        }
        if isForTerminal { return line(of: text) }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar), let mark = mark(for: scalar) {
                line.append(mark)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    /// The same for each line of `text`.
    package func lines(of text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(of: $0) }
            .joined(separator: "\n")
    }

    /// Columns that `text` takes, counted up to `limit` and the glyph that passes it.
    package func width(of text: some StringProtocol, limit: Int = .max) -> Int {
        let plainWidth = text.utf8.withContiguousStorageIfAvailable {
            Self.plainCount(of: $0, limit: limit)
        }
        if let width = plainWidth ?? nil { return width }
        var width = 0
        forEachGlyph(in: text) { glyph in
            width += glyph.width
            return width <= limit
        }
        return width
    }

    /// Characters of plain ASCII, each a glyph, counted up to `limit` and the one that passes it;
    /// nil when there is anything else among them, or a mark behind the last.
    static func plainCount(of bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let limit = min(max(limit, 0), bytes.count)
        return bytes.prefix(limit + 2).allSatisfy(isPlain) ? min(limit + 1, bytes.count) : nil
    }

    private func visit(_ character: Character, _ body: (Glyph) -> Bool) -> Bool {
        let scalars = character.unicodeScalars
        // Controls stand alone in a cluster, but for CR LF, which are one.
        if let first = scalars.first, let mark = mark(for: first) {
            return scalars.allSatisfy { scalar in
                body(Glyph(character: self.mark(for: scalar) ?? mark, width: 1))
            }
        }
        if scalars.count == 1 {
            let width = CharacterWidth.width(of: character)
            if width > 0 { return body(Glyph(character: character, width: width)) }
        }
        let (kept, isCut) = capped(scalars)
        // What is left out in the middle may have held the rest together.
        for safe in String(kept) {
            let width = CharacterWidth.width(of: safe)
            let glyph =
                width == 0
                ? Glyph(character: isASCII ? "?" : Self.onCircle(safe), width: 1)
                : Glyph(character: safe, width: width)
            guard body(glyph) else { return false }
        }
        return isCut ? body(Glyph(character: isASCII ? "?" : "·", width: 1)) : true
    }

    /// A mark that has nothing to stand on, on a dotted circle.
    private static func onCircle(_ mark: Character) -> Character {
        let text = "\u{25CC}" + String(mark)
        return text.count == 1 ? Character(text) : "\u{25CC}"
    }

    /// The cluster without the marks that are too many, and whether there were any.
    private func capped(
        _ scalars: String.UnicodeScalarView
    ) -> (kept: String.UnicodeScalarView, isCut: Bool) {
        var kept = String.UnicodeScalarView()
        var marks = 0
        var isCut = false
        for (place, scalar) in zip(scalars.indices, scalars) {
            let isZeroWidth = CharacterWidth.width(of: scalar) == 0
            // Tags spell the flags of England, Scotland and Wales, five letters and an end.
            let isTag = (0xE0020...0xE007F).contains(scalar.value)
            marks += isZeroWidth && !isTag && scalar.value != CharacterWidth.zeroWidthJoiner ? 1 : 0
            if kept.count >= Sanitizer.scalarsPerCluster || marks > Sanitizer.marksPerCluster
                || (!kept.isEmpty && mark(for: scalar) != nil)
                || !isProper(scalar, behind: kept, before: scalars[place...].dropFirst().first)
            {
                isCut = true
                continue
            }
            kept.append(scalar)
        }
        return (kept, isCut)
    }

    /// False for an invisible scalar that does nothing where it stands: it could make two texts
    /// look alike. In emoji, and in scripts that it shapes, it belongs to the cluster.
    private func isProper(
        _ scalar: Unicode.Scalar, behind kept: String.UnicodeScalarView,
        before next: Unicode.Scalar?
    ) -> Bool {
        guard let base = kept.first, let last = kept.last else { return true }
        switch scalar.value {
        case 0x200C: return CharacterWidth.isShaped(last)
        case CharacterWidth.zeroWidthJoiner:
            return CharacterWidth.isShaped(last)
                || CharacterWidth.isPicture(base) && next.map(CharacterWidth.isPicture) == true
        case 0x034F: return CharacterWidth.isShaped(base)
        case 0xFE0E, 0xFE0F: return CharacterWidth.isPicture(last) || next?.value == 0x20E3
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF: return base.value >= 0x2000
        case 0xE0020...0xE007F: return base.value == 0x1F3F4
        default: return true
        }
    }

    /// What to show for a scalar that must not be sent; nil for one that may.
    private func mark(for scalar: Unicode.Scalar) -> Character? {
        switch scalar.value {
        case 0..<0x20: isASCII ? "?" : Character(Unicode.Scalar(0x2400 + scalar.value)!)
        case 0x7F: isASCII ? "?" : "␡"
        case 0x80...0x9F: isASCII ? "?" : "\u{FFFD}"
        // U+FFFD itself is a fine sign of malformed bytes where there is more than ASCII.
        case 0xFFFD: isASCII ? "?" : nil
        // Soft hyphen, Mongolian vowel separator, Arabic letter mark, Hangul and Khmer fillers.
        case 0xAD, 0x61C, 0x180E, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0:
            isASCII ? "?" : "·"
        // Zero-width space, direction marks; line and paragraph separator, embeddings, overrides;
        // word joiner, invisible operators, isolates, deprecated format characters.
        case 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F: isASCII ? "?" : "·"
        // Byte order mark, annotations, musical format characters, language tags.
        case 0xFEFF, 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE001F: isASCII ? "?" : "·"
        default: isNoncharacter(scalar) ? (isASCII ? "?" : "\u{FFFD}") : nil
        }
    }

    private func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }
}
