/// How a cell looks, in what every terminal has: the default colours, the six that themes keep
/// legible, and five attributes; and the colours that rows bring along. Colour is never the only
/// sign of anything.
package struct Style: Hashable, Sendable {
    package var foreground: Foreground
    package var attributes: Attributes
    /// In place of the foreground, where a terminal can show it.
    package var tint: Tint?

    package init(
        _ foreground: Foreground = .standard, _ attributes: Attributes = [], tint: Tint? = nil
    ) {
        self.foreground = foreground
        self.attributes = attributes
        self.tint = tint
    }

    package static let plain = Style()
    package static let bold = Style(.standard, .bold)
    package static let dim = Style(.standard, .dim)
    package static let reverse = Style(.standard, .reverse)

    /// The raw values are ANSI's: 30 and the value is the code. Black and white are left out, since
    /// one of them is the background.
    package enum Foreground: UInt8, Sendable, CaseIterable {
        case standard = 9
        case red = 1
        case green = 2
        case yellow = 3
        case blue = 4
        case magenta = 5
        case cyan = 6
    }

    package struct Attributes: OptionSet, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let underline = Attributes(rawValue: 4)
        package static let reverse = Attributes(rawValue: 8)
        package static let strikethrough = Attributes(rawValue: 16)
        /// A background a shade off the terminal's own, where the renderer knows that.
        package static let shaded = Attributes(rawValue: 32)
    }

    func looksOnBlanks(like other: Style) -> Bool {
        let seen: Attributes = [.underline, .reverse, .strikethrough, .shaded]
        if self == other { return true }
        return tint == nil && other.tint == nil
            && attributes.intersection(seen) == other.attributes.intersection(seen)
            && attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
    }

    /// The same style with `attributes` as well.
    package func with(_ attributes: Attributes) -> Style {
        Style(foreground, self.attributes.union(attributes), tint: tint)
    }
}
