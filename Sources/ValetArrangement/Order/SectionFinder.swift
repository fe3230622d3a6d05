import ValetModel

/// Finds a section by its title.
extension ArrangedRows {
    /// The section titled `title`, if there is one: spelled the same, else the same as a number, or
    /// the same when folded.
    package func section(titled title: String) -> Int? {
        guard rowCount > 0 else { return nil }
        let value = titles.value(in: title)
        guard let column = sectionColumn, !arrangement.specification.isFlat else {
            return value.isEmpty ? 0 : nil
        }
        let found =
            if arrangement.specification.expression == .wholeValue {
                wholeValueTargets(value, column).compactMap { find($0, in: column) }
            } else {
                keyTargets(value).compactMap { find($0, in: column) }
            }
        let exact = found.first {
            let first = arrangement.order.firstRow(ofSection: $0)
            return self.title(ofSectionOf: arrangement.order.slot(at: first)).utf8.elementsEqual(
                title.utf8)
        }
        return exact ?? found.first
    }

    /// The first section whose folded title begins with `prefix`, folded. Sections by whole texts
    /// are found by halving; of others, whose titles have no order of their own, the first thousand
    /// are looked through.
    package func section(withTitlePrefix prefix: String) -> Int? {
        let folded = TextFolding.fold(prefix)
        func matches(_ section: Int) -> Bool {
            let first = arrangement.order.firstRow(ofSection: section)
            let title = title(ofSectionOf: arrangement.order.slot(at: first))
            return TextFolding.fold(title).starts(with: folded)
        }
        if let column = sectionColumn, column.isText, titles.template == nil,
            arrangement.specification.expression == .wholeValue,
            !arrangement.specification.isFlat, !arrangement.specification.isDescending
        {
            let ordinal = arrangement.order.partition { slot in
                guard case .text(let code) = column[slot] else { return true }
                return column.dictionary.withFolded(code) { text in
                    folded.withUnsafeBytes { compareBytes(text, $0) } < 0
                } ?? true
            }
            guard ordinal < rowCount else { return nil }
            let section = arrangement.order.section(ofRow: ordinal)
            return matches(section) ? section : nil
        }
        return (0..<min(sectionCount, Limits.sectionsPerAnswer)).first(where: matches)
    }

    /// A value as a title may mean it.
    private enum Target {
        case text([UInt8])
        case value(KeyValue)
    }

    private func wholeValueTargets(_ title: String, _ column: Column) -> [Target] {
        let folded = TextFolding.fold(title)
        var targets: [Target] = []
        if let number = Int64(title) {
            targets.append(.value(.integer(number)))
        } else if let real = Double(title), !real.isNaN {
            targets.append(.value(.real(real)))
        }
        targets.append(.text(folded))
        if title.hasSuffix(Self.blobTitleEnd),
            let byteCount = Int(title.dropLast(Self.blobTitleEnd.count))
        {
            targets.append(.value(.blob(byteCount: byteCount)))
        }
        if folded == TextFolding.fold(ColumnDescription.unknown) {
            targets.append(.value(.missing))
        }
        return targets
    }

    private func find(_ target: Target, in column: Column) -> Int? {
        let isDescending = arrangement.specification.isDescending
        switch target {
        case .value(let target):
            return find { column.compare(column[$0], target, isDescending: isDescending) }
        case .text(let folded):
            return find { slot in
                let order: Int
                switch column[slot] {
                case .missing: return 1
                case .integer, .real: order = -1
                case .blob: order = 1
                case .text(let code):
                    order = column.dictionary.withFolded(code) { text in
                        folded.withUnsafeBytes { compareBytes(text, $0) }
                    }!
                }
                return isDescending ? -order : order
            }
        }
    }

    private func keyTargets(_ title: String) -> [SectionKey] {
        var keys: [SectionKey] = []
        let folded = TextFolding.fold(title)
        switch arrangement.specification.expression {
        case .none, .wholeValue: break
        case .firstLetter:
            if title == "#" { keys.append(.noLetter) }
            // A title that is longer than its letter is no letter's.
            if title.unicodeScalars.count == 1,
                let letter = TextFolding.firstLetter(ofFolded: folded)
            {
                keys.append(.number(Int64(letter)))
            }
        case .year: if let year = Int64(title) { keys.append(.number(year)) }
        case .day:
            if let day = CivilTime.day(title: title) { keys.append(.number(day)) }
        case .hourOfDay:
            if title.hasSuffix(":00"), let hour = Int64(title.dropLast(3)) {
                keys.append(.number(hour))
            }
        case .ranges(let bounds):
            keys += (0...bounds.count).map { SectionKey.number(Int64($0)) }
                .filter { $0.title(arrangement.specification.expression) == title }
        }
        if folded == TextFolding.fold(ColumnDescription.unknown) { keys.append(.missing) }
        return keys
    }

    private func find(_ target: SectionKey, in column: Column) -> Int? {
        find { slot in
            let key = SectionKey(
                column[slot], arrangement.specification.expression, in: column.dictionary)
            return SectionKey.compare(
                key, target, isDescending: arrangement.specification.isDescending)
        }
    }

    /// The section of the first row that `compare` calls equal, by halving.
    private func find(_ compare: (UInt32) -> Int) -> Int? {
        let ordinal = arrangement.order.partition { compare($0) < 0 }
        guard ordinal < rowCount, compare(arrangement.order.slot(at: ordinal)) == 0 else {
            return nil
        }
        return arrangement.order.section(ofRow: ordinal)
    }
}
