import ValetModel

/// An entry's bytes: what it has of its own, then the commands, each with its length before it, so
/// that one is read without the others.
extension Entry {
    private static let format: UInt8 = 1

    /// - Parameter sections: those of its commands.
    func sealed(_ sections: LogBytes) -> SealedEntry {
        var bytes = LogBytes()
        bytes.write(byte: Self.format)
        bytes.write(logID)
        bytes.write(term)
        bytes.write(previous.bytes)
        bytes.write(first)
        bytes.write(signed: time)
        bytes.write(list: tables) { bytes, table in
            bytes.write(table.name)
            bytes.write(list: table.columns) { $0.write($1) }
        }
        bytes.write(list: highest) { bytes, highest in
            bytes.write(count: highest.table)
            bytes.write(signed: highest.rowID)
        }
        bytes.write(count: commands.count)
        bytes.append(sections)
        return SealedEntry(self, bytes.bytes)
    }

    func sealed() -> SealedEntry {
        var sections = LogBytes()
        for (place, command) in commands.enumerated() {
            sections.write(command.section(at: first &+ UInt64(place)))
        }
        return sealed(sections)
    }

    /// nil if the bytes are damaged.
    init?(stored: [UInt8]) {
        guard let sections = EntrySections(stored) else { return nil }
        self = sections.entry
        for revision in sections.revisions {
            guard let command = sections.command(at: revision) else { return nil }
            commands.append(command)
        }
    }

    /// Without its commands.
    fileprivate init?(from bytes: inout LogByteReader) {
        guard bytes.byte() == Self.format, let logID = bytes.number(), let term = bytes.number(),
            let previous = bytes.block().flatMap({ EntryHash(stored: $0) }),
            let first = bytes.number(), 1...1 << 62 ~= first, let time = bytes.signed(),
            let tables = bytes.list({ bytes in
                bytes.text().flatMap { name in
                    bytes.list { $0.text() }.map { EntryTable(name: name, columns: $0) }
                }
            }),
            let highest = bytes.list({ bytes in
                bytes.size().flatMap { table in
                    bytes.signed().map { HighestRowID(table: table, rowID: $0) }
                }
            }), highest.allSatisfy({ tables.indices.contains($0.table) })
        else { return nil }
        self.init(
            logID: logID, term: term, previous: previous, first: first, time: time,
            tables: tables, highest: highest)
    }
}

/// An entry whose commands are still bytes.
struct EntrySections {
    /// Without its commands.
    let entry: Entry
    /// Of the whole entry.
    let byteCount: Int
    private let sections: [[UInt8]]

    /// nil if the bytes are damaged.
    init?(_ stored: [UInt8]) {
        var bytes = LogByteReader(stored)
        guard let entry = Entry(from: &bytes), let sections = bytes.list({ $0.block() }),
            !sections.isEmpty, bytes.isAtEnd
        else { return nil }
        self.entry = entry
        self.sections = sections
        byteCount = stored.count
    }

    var count: Int { sections.count }

    var revisions: Range<UInt64> { entry.first..<entry.first + UInt64(count) }

    /// nil if the entry has no such command, or if its bytes are damaged.
    func command(at revision: UInt64) -> EntryCommand? {
        guard revisions.contains(revision) else { return nil }
        return EntryCommand(
            section: sections[Int(revision - entry.first)], at: revision, tables: entry.tables)
    }
}

extension EntryCommand {
    func section(at revision: UInt64) -> [UInt8] {
        var bytes = LogBytes()
        bytes.write(name.writer.high)
        bytes.write(name.writer.low)
        bytes.write(name.number)
        bytes.write(group)
        bytes.write(station.id.high)
        bytes.write(station.id.low)
        bytes.write(station.name)
        bytes.write(list)
        bytes.write(byte: kind.rawValue)
        bytes.write(signed: digest)
        bytes.write(verdict.stored(step: step))
        bytes.write(list: turned) { $0.write(signed: $1) }
        bytes.write(list: skipped) { $0.write(signed: $1) }
        bytes.write(list: unnamedTables) { $0.write($1) }
        effects.write(to: &bytes, at: revision)
        return bytes.bytes
    }

    fileprivate init?(section: [UInt8], at revision: UInt64, tables: [EntryTable]) {
        var bytes = LogByteReader(section)
        var step: UInt64?
        guard let writerHigh = bytes.number(), let writerLow = bytes.number(),
            let number = bytes.number(), let group = bytes.number(), let high = bytes.number(),
            let low = bytes.number(),
            let station = bytes.text(), let list = bytes.text(),
            let kind = bytes.byte().flatMap({ Kind(rawValue: $0) }), let digest = bytes.signed(),
            let verdict = bytes.block().flatMap({ Verdict(stored: $0, step: &step) }),
            let turned = bytes.list({ $0.signed() }), let skipped = bytes.list({ $0.signed() }),
            let unnamedTables = bytes.list({ $0.text() }),
            let effects = [Effect](from: &bytes, at: revision), bytes.isAtEnd,
            effects.allSatisfy({ $0.fits(tables) })
        else { return nil }
        self.init(
            name: CommandName(
                writer: WriterID(high: writerHigh, low: writerLow), number: number), group: group,
            station: Station(name: station, id: StationID(high: high, low: low)), list: list,
            kind: kind, digest: digest, verdict: verdict, step: step, effects: effects,
            turned: turned, skipped: skipped, unnamedTables: unnamedTables)
    }
}

extension Effect {
    /// Whether its table is one of these, and its cells are that table's.
    func fits(_ tables: [EntryTable]) -> Bool {
        guard tables.indices.contains(table) else { return false }
        let columns = tables[table].columns.indices
        return switch change {
        case .insert(let cells), .delete(let cells): cells.indices == columns
        case .update(let cells): cells.allSatisfy { columns.contains($0.column) }
        }
    }
}
