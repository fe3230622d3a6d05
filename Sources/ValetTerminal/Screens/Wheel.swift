import ValetModel

/// A column of choices that goes round: behind the last comes the first.
struct Wheel: Hashable, Sendable {
    enum Values: Hashable, Sendable {
        case texts([String])
        /// Whole numbers, each `step` above the one before, of at least so many digits.
        case numbers(first: Int64, step: Int64, count: Int, digits: Int)
    }

    let label: String
    var values: Values
    private(set) var selected = 0
    /// What stood in the field when the wheels were opened; nil if nothing did.
    var original: Int?
    /// What was typed to find a value.
    private var typed = ""

    init(_ label: String, _ values: Values, selected: Int? = nil) {
        self.label = label
        self.values = values
        original = selected
        select(selected ?? 0)
    }

    /// Numbers from one to another.
    init(_ label: String, from first: Int64, through last: Int64, step: Int64 = 1, digits: Int = 1)
    {
        let count = Int(clamping: max(last - first, 0) / max(step, 1)) + 1
        self.init(label, .numbers(first: first, step: max(step, 1), count: count, digits: digits))
    }

    var count: Int {
        switch values {
        case .texts(let texts): texts.count
        case .numbers(_, _, let count, _): count
        }
    }

    func text(_ place: Int) -> String {
        switch values {
        case .texts(let texts): texts[checked: place] ?? ""
        case .numbers(let first, let step, _, let digits):
            CivilTime.padded(first + Int64(place) * step, to: digits)
        }
    }

    /// The selected number.
    var number: Int64 {
        guard case .numbers(let first, let step, _, _) = values else { return 0 }
        return first + Int64(selected) * step
    }

    /// Selects the number, or the one before it.
    mutating func select(number: Int64) {
        guard case .numbers(let first, let step, _, _) = values else { return }
        let wasTyped = typed
        select(Int(clamping: max(number - first, 0) / step))
        typed = wasTyped
    }

    mutating func select(_ place: Int) {
        selected = max(min(place, count - 1), 0)
        typed = ""
    }

    mutating func turn(by distance: Int) {
        guard count > 0 else { return }
        select(((selected + distance) % count + count) % count)
    }

    /// Finds a value by its beginning; what leads nowhere begins anew.
    mutating func type(_ character: Character) {
        for wanted in [typed + String(character), String(character)] {
            guard let place = place(of: wanted.lowercased()) else { continue }
            select(place)
            typed = wanted
            return
        }
    }

    private func place(of wanted: String) -> Int? {
        if case .numbers(let first, let step, let count, _) = values, let number = Int64(wanted) {
            let (distance, overflow) = number.subtractingReportingOverflow(first)
            if !overflow, distance >= 0, distance % step == 0, distance / step < count {
                return Int(distance / step)
            }
        }
        return (0..<count).first { text($0).lowercased().hasPrefix(wanted) }
    }
}
