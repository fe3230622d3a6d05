import ValetModel

/// Brings Valet's own tables into the present format, in the transaction that opens the file.
struct LogUpgrade {
    let prepared: PreparedStatements
    let logID: UInt64

    func run(from format: Int64) throws(ValetError) {
        let connection = prepared.connection
        if format < 4 { try connection.run(SQL.keepRevisions) }
        if format < 5 {
            try connection.run(SQL.widenWriters)
            try makeEntries()
            try connection.run(SQL.dropEffects)
        }
        if format < 6 { try connection.run(SQL.keepRowIDs) }
    }

    /// Makes an entry of each command that has effects. These serve undo, history and feeds; they
    /// can't be applied, since values in them may be cut.
    private func makeEntries() throws(ValetError) {
        let statement = try prepared.connection.prepare(SQL.loggedEffects)
        var (head, bytes) = (EntryHash.none, Int64(0))
        var tables: [Int64: EntryTable?] = [:]
        while try statement.step() {
            let revision = UInt64(clamping: statement.integer(0))
            var stored = LogByteReader(statement.byteArray(1))
            // In format 4 an effect names its table by the number of a shape.
            guard let effects = [Effect](from: &stored, at: revision),
                var command = EntryCommand(logged: statement)
            else { continue }
            var entry = Entry(
                logID: logID, previous: head, first: revision, time: statement.integer(2))
            var places: [Int: Int] = [:]
            for var effect in effects {
                if places[effect.table] == nil {
                    let shape = Int64(clamping: effect.table)
                    if tables[shape] == nil { tables[shape] = .some(try table(ofShape: shape)) }
                    guard let table = tables[shape] ?? nil else { continue }
                    places[effect.table] = entry.tables.count
                    entry.tables.append(table)
                }
                effect.table = places[effect.table] ?? 0
                if effect.fits(entry.tables) { command.effects.append(effect) }
            }
            entry.commands = [command]
            let sealed = entry.sealed()
            head = sealed.hash
            bytes &+= Int64(sealed.bytes.count)
            let cell = Cell.integer(statement.integer(0))
            try prepared.run(
                SQL.addEntry,
                [cell, cell, .integer(bytes), .block(head.bytes), .block(sealed.bytes)])
        }
    }

    private func table(ofShape shape: Int64) throws(ValetError) -> EntryTable? {
        try prepared.run(SQL.shape, [.integer(shape)]) { row in
            var names = LogByteReader(row.byteArray(1))
            var columns: [String] = []
            while let name = names.text() { columns.append(name) }
            return EntryTable(name: row.text(0) ?? "", columns: columns)
        }
    }
}

extension EntryCommand {
    /// A command of format 4, without effects; nil if it is damaged.
    fileprivate init?(logged row: Statement) {
        var step: UInt64?
        guard let id = StationID(bytes: row.byteArray(6)),
            let kind = UInt8(exactly: row.integer(9)).flatMap({ Kind(rawValue: $0) }),
            let verdict = Verdict(stored: row.byteArray(11), step: &step)
        else { return nil }
        let number = UInt64(bitPattern: row.integer(5))
        self.init(
            name: CommandName(writer: WriterID(row, at: 3), number: number), group: number,
            station: Station(name: row.text(7) ?? "", id: id), list: row.text(8) ?? "",
            kind: kind, digest: row.integer(10), verdict: verdict, step: step)
    }
}
