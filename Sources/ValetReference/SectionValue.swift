import ValetModel

/// What of a cell decides its section, and how a title words it.
package struct SectionValue: Equatable, Sendable {
    /// Sections are equal when these are; nil when a cut text leaves that open.
    package let key: OrderKey?
    /// Where the section stands among others: numbered ones, `#`, `–`.
    private var group = 0
    /// As the row itself would write it; nil when that can't be known.
    package let title: String?

    /// Whether the section is of rows without a value.
    package var isUnknown: Bool { group == 2 }

    private static let letterless = SectionValue(key: .missing, group: 1, title: "#")
    private static let unknown = SectionValue(
        key: .missing, group: 2, title: ColumnDescription.missing)
}

extension SectionValue {
    package init(
        _ cell: Cell, of column: ColumnDescription, by expression: SectionExpression,
        usesTwelveHours: Bool = false
    ) {
        let key = OrderKey(cell)
        let moment = expression.isOfTime ? StoredMoment(cell, in: column.zone) : nil
        switch expression {
        case .none: self.init(key: .missing, title: "")
        case .wholeValue:
            self.init(wholeValue: key, title: Self.wholeTitle(cell, of: column))
        case .firstLetter: self.init(firstLetterOf: key)
        case .year: self.init(number: moment?.year) { String($0) }
        case .month: self.init(number: moment?.months) { _ in moment?.isoMonth }
        case .day: self.init(number: moment?.day) { _ in moment?.isoDay }
        case .hourOfDay:
            self.init(number: moment?.hour) {
                usesTwelveHours ? Self.ofTwelve($0) : StoredMoment.digits($0, 2) + ":00"
            }
        case .ranges(let bounds):
            self.init(number: Self.range(of: key, in: bounds)) { Self.rangeTitle($0, bounds) }
        }
    }

    private init(number: Int64?, title: (Int64) -> String?) {
        self = number.map { Self(key: .number($0), title: title($0)) } ?? .unknown
    }

    private init(wholeValue key: OrderKey, title: String?) {
        switch key {
        case .missing: self = .unknown
        case .text(_, isCut: true): self.init(key: nil, title: title)
        case .number, .real, .blob, .text: self.init(key: key, title: title)
        }
    }

    private init(firstLetterOf key: OrderKey) {
        switch key {
        case .missing: self = .unknown
        case .number, .real, .blob: self = .letterless
        case .text(let folded, _):
            self =
                TextFolding.firstLetter(ofFolded: folded).map { letter in
                    Self(
                        key: .number(Int64(letter)),
                        title: Unicode.Scalar(letter).map { String(Character($0)) })
                } ?? .letterless
        }
    }

    /// The order of sections; descending reverses only those with a value. nil if it is open.
    package static func compare(_ left: Self, _ right: Self, isDescending: Bool) -> Int? {
        if left.group != right.group { return left.group < right.group ? -1 : 1 }
        guard let key = left.key, let other = right.key else { return nil }
        return OrderKey.compare(key, other, isDescending: isDescending)
    }

    // MARK: - Titles

    private static func ofTwelve(_ hour: Int64) -> String {
        switch hour {
        case 0: "12 AM"
        case 1..<12: "\(hour) AM"
        case 12: "12 PM"
        default: "\(hour - 12) PM"
        }
    }

    private static func wholeTitle(_ cell: Cell, of column: ColumnDescription) -> String? {
        switch cell {
        case .null, .text(""): return ColumnDescription.missing
        case .integer(1) where column.type == .boolean, .real(1) where column.type == .boolean:
            return "Yes"
        case .integer(0) where column.type == .boolean, .real(0) where column.type == .boolean:
            return "No"
        case .integer(let number): return String(number)
        case .real(let real): return String(real)
        case .text(let text), .cutText(let text, _): return text
        case .malformedText(let bytes, let byteCount):
            return bytes.count < byteCount ? nil : String(decoding: bytes, as: UTF8.self)
        case .blob(_, 1): return "1 byte"
        case .blob(_, let byteCount): return "\(byteCount) bytes"
        }
    }

    /// How many bounds a number reaches.
    private static func range(of key: OrderKey, in bounds: [Double]) -> Int64? {
        switch key {
        case .missing, .text, .blob: return nil
        case .number, .real:
            let reached = bounds.count {
                OrderKey.compare(key, .real($0), isDescending: false).map { $0 >= 0 } ?? false
            }
            return Int64(reached)
        }
    }

    private static func rangeTitle(_ reached: Int64, _ bounds: [Double]) -> String {
        let written = bounds.map { Int64(exactly: $0).map { String($0) } ?? String($0) }
        let below = written.prefix(Int(reached)).last
        let above = written.dropFirst(Int(reached)).first
        switch (below, above) {
        case (nil, nil): return "all"
        case (nil, let above?): return "below \(above)"
        case (let below?, nil): return "\(below) and more"
        case (let below?, let above?): return "\(below) – \(above)"
        }
    }
}
