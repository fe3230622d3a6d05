extension Cell {
    /// How the numbers that are equal to this one are written, with the fewest digits: `2` and
    /// `2.0`. Empty for other values.
    package var writings: [String] {
        switch self {
        case .integer(let number):
            let real = Double(number)
            return [String(number)]
                + (Int64(exactly: real) == number ? Self.writings(of: real) : [])
        case .real(let real):
            return (Int64(exactly: real).map { [String($0)] } ?? []) + Self.writings(of: real)
        case .null, .text, .malformedText, .cutText, .blob: return []
        }
    }

    private static func writings(of real: Double) -> [String] {
        if real.isNaN { return [] }
        return real == 0 ? ["0.0", "-0.0"] : [String(real)]
    }
}
