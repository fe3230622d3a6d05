import ValetModel

/// Finds a section by its title.
///
/// A title is folded and taken apart as the template put it together. Each value that it may stand
/// for is found by binary search; then the titles found are compared with the one asked for, so
/// that what is shown is what is found.
extension ArrangedRows {
    /// The section titled `title`, if there is one: spelled the same, else the same when folded,
    /// else by its value alone, else the same as a number. Of several that are alike, the first.
    package func section(titled title: String) -> Int? {
        guard rowCount > 0 else { return nil }
        guard isSectioned, let column = sectionColumn else { return title.isEmpty ? 0 : nil }
        let folded = TextFolding.fold(title)
        let found = targets(title, folded).compactMap { target -> (rank: Int, section: Int)? in
            guard let section = find(target, in: column) else { return nil }
            return rank(of: section, title, folded, target).map { ($0, section) }
        }
        return found.min { $0 < $1 }?.section ?? section(withCutTitle: folded)
    }

    /// The first section whose folded title begins with `prefix`, folded.
    package func section(withTitlePrefix prefix: String) -> Int? {
        let folded = TextFolding.fold(prefix)
        return sections(beginningWith: folded).first { self.folded($0).starts(with: folded) }
    }

    /// A title that was cut is the beginning of a value, which no value is equal to.
    private func section(withCutTitle folded: [UInt8]) -> Int? {
        guard folded.count >= SectionTitles.fewestFoldedBytesOfCutTitles else { return nil }
        return sections(beginningWith: folded).first { self.folded($0) == folded }
    }

    /// Sections to look through for titles that begin with `folded`. By whole texts, they are found
    /// by binary search; other titles have no order of their own, so the list's first sections are
    /// looked through.
    private func sections(beginningWith folded: [UInt8]) -> Range<Int> {
        var sections = 0..<sectionCount
        if isSectioned, let column = sectionColumn, column.isText,
            arrangement.specification.expression == .wholeValue,
            folded.starts(with: titles.foldedHead)
        {
            let beginning = Array(folded.dropFirst(titles.foldedHead.count))
            func compare(_ slot: UInt32) -> Int {
                compareText(column[slot], in: column) { compareBeginning($0, beginning) }
            }
            let first = section(from: arrangement.order.partition { compare($0) < 0 })
            let end = section(from: arrangement.order.partition { compare($0) <= 0 })
            sections = first..<end
        }
        return sections.prefix(Limits.sectionsPerAnswer)
    }

    /// The section of row `ordinal`, which starts it, or the end.
    private func section(from ordinal: Int) -> Int {
        ordinal < rowCount ? arrangement.order.section(ofRow: ordinal) : sectionCount
    }

    private func folded(_ section: Int) -> [UInt8] {
        TextFolding.fold(title(ofSectionOf: firstSlot(of: section)))
    }

    private func firstSlot(of section: Int) -> UInt32 {
        arrangement.order.start(ofSection: section).slot
    }

    /// How well a section answers to a title, best first; nil when it does not.
    private func rank(
        of section: Int, _ title: String, _ folded: [UInt8], _ target: Target
    ) -> Int? {
        let slot = firstSlot(of: section)
        let shown = self.title(ofSectionOf: slot)
        if shown.utf8.elementsEqual(title.utf8) { return 0 }
        if TextFolding.fold(shown) == folded { return 1 }
        let value = plainTitle(ofSectionBy: sectionColumn.map { $0[slot] })
        if TextFolding.fold(value) == folded { return 2 }
        switch target {
        case .number: return 3
        case .text, .value, .key: return nil
        }
    }

    // MARK: - What a title may stand for

    private enum Target {
        case text([UInt8])
        case number(KeyValue)
        case value(KeyValue)
        case key(SectionKey)
    }

    private func targets(_ title: String, _ folded: [UInt8]) -> [Target] {
        var values = titles.values(inFolded: folded)
        if !values.contains(folded) { values.append(folded) }
        return values.flatMap { value in
            arrangement.specification.expression == .wholeValue
                ? wholeValueTargets(value) : keyTargets(value)
        }
    }

    private func wholeValueTargets(_ folded: [UInt8]) -> [Target] {
        let text = String(decoding: folded, as: UTF8.self)
        var targets: [Target] = []
        if titles.isBoolean {
            if folded == TextFolding.fold(SectionTitles.yes) {
                targets.append(.number(.integer(1)))
            }
            if folded == TextFolding.fold(SectionTitles.no) { targets.append(.number(.integer(0))) }
        }
        if let number = Int64(text) {
            targets.append(.number(.integer(number)))
        } else if let real = Double(text), !real.isNaN {
            targets.append(.number(.real(real)))
        }
        targets.append(.text(folded))
        if let byteCount = Int(text.prefix { $0 != " " }), text == Self.blobTitle(byteCount) {
            targets.append(.value(.blob(byteCount: byteCount)))
        }
        if folded == TextFolding.fold(ColumnDescription.missing) {
            targets.append(.value(.missing))
        }
        return targets
    }

    private func keyTargets(_ folded: [UInt8]) -> [Target] {
        let text = String(decoding: folded, as: UTF8.self)
        var keys: [SectionKey] = []
        switch arrangement.specification.expression {
        case .none, .wholeValue: break
        case .firstLetter:
            keys.append(
                TextFolding.firstLetter(ofFolded: folded).map { .number(Int64($0)) } ?? .noLetter)
        case .year: if let year = Int64(text) { keys.append(.number(year)) }
        case .month:
            if let months = CivilTime.months(title: text) { keys.append(.number(months)) }
        case .day:
            if let day = CivilTime.day(title: text) { keys.append(.number(day)) }
        case .hourOfDay:
            keys += (0..<24).map(SectionKey.number).filter {
                TextFolding.fold(title(of: $0)) == folded
            }
        case .ranges(let bounds):
            keys += (0...bounds.count).map { SectionKey.number(Int64($0)) }.filter {
                TextFolding.fold(title(of: $0)) == folded
            }
        }
        if folded == TextFolding.fold(ColumnDescription.missing) { keys.append(.missing) }
        return keys.map(Target.key)
    }

    // MARK: - Binary search

    /// The section of the first row that `target` means.
    private func find(_ target: Target, in column: Column) -> Int? {
        let specification = arrangement.specification
        return switch target {
        case .number(let value), .value(let value):
            find { column.compare(column[$0], value, isDescending: specification.isDescending) }
        case .text(let folded):
            find { slot in
                compareText(column[slot], in: column) { text in
                    folded.withUnsafeBytes { compareBytes(text, $0) }
                }
            }
        case .key(let target):
            find { slot in
                let key = SectionKey(
                    column[slot], specification.expression, zone: specification.zone,
                    in: column.dictionary)
                return SectionKey.compare(key, target, isDescending: specification.isDescending)
            }
        }
    }

    private func find(_ compare: (UInt32) -> Int) -> Int? {
        let ordinal = arrangement.order.partition { compare($0) < 0 }
        guard ordinal < rowCount, compare(arrangement.order.slot(at: ordinal)) == 0 else {
            return nil
        }
        return arrangement.order.section(ofRow: ordinal)
    }

    /// Where a value stands beside the text that `compare` knows, in the order of the sections.
    private func compareText(
        _ value: KeyValue, in column: Column, _ compare: (UnsafeRawBufferPointer) -> Int
    ) -> Int {
        if value == .missing { return 1 }
        let order = column.compare(value, toText: compare)
        return arrangement.specification.isDescending ? -order : order
    }
}

/// 0 for a text that begins with `beginning`, else the order of the two.
private func compareBeginning(_ text: UnsafeRawBufferPointer, _ beginning: [UInt8]) -> Int {
    beginning.withUnsafeBytes { beginning in
        compareBytes(UnsafeRawBufferPointer(rebasing: text.prefix(beginning.count)), beginning)
    }
}
