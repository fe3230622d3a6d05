/// What replaces a scalar in folded forms.
enum FoldingEntry {
    /// The scalar itself, of combining class 0.
    case copied
    /// Nothing.
    case removed
    /// Nothing; but the removed scalar was of class 0, so marks before it do not mix with those
    /// after it.
    case barrier
    /// The scalar itself, of a nonzero combining class.
    case mark
    /// The letters of a Hangul syllable.
    case hangul
    case replaced(Replacement)

    /// Starts with a scalar of class 0, is in canonical order, and may end in marks.
    struct Replacement {
        var bytes: UnsafeRawBufferPointer
        var endsInMarks: Bool
    }

    static let hangulSyllables: ClosedRange<UInt32> = 0xAC00...0xD7A3

    init(of scalar: UInt32) {
        switch TextFoldingTable.entry(of: scalar) {
        case 0: self = .copied
        case 1: self = .removed
        case 2: self = .barrier
        case 3: self = .mark
        case 4: self = .hangul
        case let place:
            let pool = UnsafeRawPointer(TextFoldingTable.pool.utf8Start)
            let head = pool + Int(place - 8) * 2
            let headByte = head.load(as: UInt8.self)
            self = .replaced(
                Replacement(
                    bytes: UnsafeRawBufferPointer(start: head + 1, count: Int(headByte & 0x1F)),
                    endsInMarks: headByte & 0x40 != 0))
        }
    }

    /// The class of a scalar that stays in folded forms. Marks are few, so a short list replaces a
    /// table of all scalars.
    static func combiningClass(of scalar: UInt32) -> UInt8 {
        TextFoldingTable.classes.first { $0.scalar == scalar }?.combiningClass ?? 0
    }
}

extension TextFoldingTable {
    /// The number that `FoldingEntry` reads.
    static func entry(of scalar: UInt32) -> UInt32 {
        guard scalar < end else { return removedBeyond.contains(scalar) ? 2 : 0 }
        let block = twoDigits(of: blockNumbers, at: scalar >> blockBits)
        return twoDigits(of: blocks, at: place(of: scalar, in: block))
    }

    /// The simple upper case of a letter (general category L); nil for other scalars. Exact for
    /// scalars that occur in folded forms.
    static func upperCaseLetter(_ scalar: UInt32) -> UInt32? {
        guard scalar < letterEnd else { return nil }
        let group = twoDigits(of: letterGroups, at: scalar >> (2 * blockBits))
        let number = place(of: scalar >> blockBits, in: group)
        let block = twoDigits(of: letterBlockNumbers, at: number)
        let digit = digit(of: letterBlocks, at: place(of: scalar, in: block))
        return digit == 0 ? nil : scalar &+ UInt32(bitPattern: upperCaseOffsets[Int(digit)])
    }

    private static func place(of scalar: UInt32, in block: UInt32) -> UInt32 {
        block << blockBits | scalar & (1 << blockBits - 1)
    }

    private static func twoDigits(of text: StaticString, at index: UInt32) -> UInt32 {
        digit(of: text, at: 2 * index) * radix + digit(of: text, at: 2 * index + 1)
    }

    /// Reads the tables' strings in place. Indices come from scalars below the tables' ends and
    /// from the tables themselves, whose sizes match by construction; debug builds check.
    private static func digit(of text: StaticString, at index: UInt32) -> UInt32 {
        assert(index < text.utf8CodeUnitCount)
        return UInt32(text.utf8Start[Int(index)] &- firstDigit)
    }
}
