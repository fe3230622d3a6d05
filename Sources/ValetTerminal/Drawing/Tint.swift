/// A colour that a row brings along, as `#rrggbb`.
package struct Tint: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    /// The colour as text has it: as much darker or lighter as it must be to be read on white and
    /// on black, since a terminal may have either.
    package var legible: Tint {
        let brightness = self.brightness
        func legible(_ value: UInt8) -> UInt8 {
            let value = Int(value)
            if brightness > Self.brightest {
                return UInt8(value * Self.brightest / brightness)
            } else if brightness < Self.darkest {
                return UInt8(
                    value + (255 - value) * (Self.darkest - brightness) / (255 - brightness))
            }
            return UInt8(value)
        }
        return Tint(red: legible(red), green: legible(green), blue: legible(blue))
    }

    private static let (darkest, brightest) = (100, 130)

    private var brightness: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1_000 }

    /// The nearest of the colours that 256-colour terminals have from number 16 on: 6 × 6 × 6, and
    /// 24 greys.
    var paletteNumber: Int {
        func step(_ value: UInt8) -> Int {
            // The steps are 0, 95, 135, 175, 215, 255.
            value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
        }
        func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
        let steps = (step(red), step(green), step(blue))
        let number = 16 + 36 * steps.0 + 6 * steps.1 + steps.2
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        let grey = min(max((mean - 3) / 10, 0), 23)
        let greyLevel = 8 + 10 * grey
        let isGreyNearer =
            distance(greyLevel, greyLevel, greyLevel)
            < distance(level(steps.0), level(steps.1), level(steps.2))
        return isGreyNearer ? 232 + grey : number
    }

    private func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        let differences = [Int(self.red) - red, Int(self.green) - green, Int(self.blue) - blue]
        return differences.reduce(0) { $0 + $1 * $1 }
    }

    /// A shade off this colour, towards the other end, so that text on either is read alike.
    package var shade: Tint {
        let brightness = self.brightness
        func shade(_ value: UInt8) -> UInt8 {
            brightness < 128 ? value + (255 - value) / 8 : value - value / 12
        }
        return Tint(red: shade(red), green: shade(green), blue: shade(blue))
    }

    package var hexadecimal: String {
        let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        let digits = String(value, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// How a terminal is told of a colour.
    package enum Support: Sendable {
        case none
        /// 256 colours by number.
        case palette
        /// Red, green and blue.
        case direct
    }
}

extension Tint {
    /// nil if the text is no colour.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        red = UInt8(value >> 16)
        green = UInt8(value >> 8 & 0xFF)
        blue = UInt8(value & 0xFF)
    }
}
