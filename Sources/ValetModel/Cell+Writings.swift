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

extension Cell {
    /// What somebody typed into a column of reals: a whole number that no real equals stays whole.
    package static func number(_ number: Double, typedAs text: String) -> Cell {
        guard let whole = Int64(text), Int64(exactly: number) != whole else { return .real(number) }
        return .integer(whole)
    }
}
