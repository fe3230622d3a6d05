/// One cell of a screen, as it is read.
package struct ScreenCell: Hashable, Sendable {
    package let character: Character
    /// 1, or 2 for a cluster that also covers the cell on its right; 0 for that cell.
    package let width: Int
    package let style: Style
}

/// One cell of a screen, as it is kept: two words without a reference, so that a grid of them is
/// quickly copied and compared.
struct PackedCell: Hashable, Sendable {
    var cluster: Cluster
    /// From the lowest byte: attributes, foreground, width, whether terminals may not agree about
    /// it, and four of the tint, the last 1 if there is one.
    private var packed: UInt64

    init(cluster: Cluster, width: Int, isContentious: Bool = false, style: Style) {
        self.cluster = cluster
        packed = UInt64(width) << 16 | (isContentious ? 1 << 24 : 0)
        self.style = style
    }

    static let blank = PackedCell(cluster: .blank, width: 1, style: .plain)

    var width: Int { Int(packed >> 16 & 0xFF) }
    var isContentious: Bool { packed & 1 << 24 != 0 }

    var style: Style {
        get {
            func byte(_ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (place * 8)) }
            let tint = Tint(red: byte(4), green: byte(5), blue: byte(6))
            return Style(
                Style.Foreground(rawValue: byte(1)) ?? .standard,
                Style.Attributes(rawValue: byte(0)), tint: byte(7) == 0 ? nil : tint)
        }
        set {
            packed = packed & 0xFFFF_0000 | UInt64(newValue.attributes.rawValue)
            packed |= UInt64(newValue.foreground.rawValue) << 8
            guard let tint = newValue.tint else { return }
            packed |= UInt64(tint.red) << 32 | UInt64(tint.green) << 40 | UInt64(tint.blue) << 48
            packed |= 1 << 56
        }
    }

    func hasStyle(of other: PackedCell) -> Bool { (packed ^ other.packed) & ~0xFFFF_0000 == 0 }

    var isShaded: Bool { packed & UInt64(Style.Attributes.shaded.rawValue) != 0 }

    /// As a terminal shows it that has no shades.
    var withoutShade: PackedCell {
        var cell = self
        cell.packed &= ~UInt64(Style.Attributes.shaded.rawValue)
        return cell
    }

    /// True if a terminal shows the same: most of a style is not seen on a blank.
    func looks(like other: PackedCell) -> Bool {
        self == other || isBlank && other.isBlank && style.looksOnBlanks(like: other.style)
    }

    var isBlank: Bool { cluster == .blank && width == 1 }

    /// What the cell adds to a hash of its row. No cell waits for the one before it, so that a
    /// processor takes several at a time.
    func hash(inColumn column: Int) -> UInt64 {
        let place = UInt64(truncatingIfNeeded: column) &* 0x9E37_79B9_7F4A_7C15
        let mixed = ((cluster.word ^ packed << 8) &+ place) &* 0xBF58_476D_1CE4_E5B9
        return (mixed ^ mixed >> 32) &* 0x94D0_49BB_1331_11EB
    }
}

/// A grapheme cluster in a word: its UTF-8 if that has eight bytes at most, as nearly all have;
/// otherwise a hash, by which the screen finds it.
struct Cluster: Hashable, Sendable {
    /// The first byte is the lowest. The highest is 0xFF, which is in no UTF-8, for a hash.
    let word: UInt64
    private static let hashed: UInt64 = 0xFF << 56

    static let blank = Cluster(ascii: UInt8(ascii: " "))

    init(ascii: UInt8) { word = UInt64(ascii) }

    init(_ character: Character) {
        let utf8 = character.utf8
        if utf8.count <= 8 {
            word = utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        } else {
            // Not of the character, which equals others that a terminal shows differently.
            var hasher = Hasher()
            for byte in utf8 { hasher.combine(byte) }
            word = UInt64(truncatingIfNeeded: hasher.finalize()) | Cluster.hashed
        }
    }

    /// nil for any that is not ASCII.
    var ascii: UInt8? { word < 0x80 ? UInt8(truncatingIfNeeded: word) : nil }
    var isHash: Bool { word >= Cluster.hashed }

    /// The UTF-8 of one that is no hash.
    func append(to bytes: inout [UInt8]) {
        var rest = word
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        } while rest > 0
    }

    /// One that is no hash.
    var character: Character {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self).first ?? " "
    }
}
