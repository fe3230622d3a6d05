import ValetModel

/// An entry that is being decided. Each command is encoded once, when it is added.
struct EntryDraft {
    private(set) var entry: Entry
    private var sections = LogBytes()
    /// Of the commands, and of the names of tables and columns.
    private var byteCount = 0
    private let mostBytes: Int
    /// By the writer's number of a table, its place in the entry; and the other way round.
    private var places: [Int: Int] = [:]
    private(set) var writersTables: [Int] = []

    /// - Parameters:
    ///   - entry: without commands.
    ///   - mostBytes: how many its commands may take, with what they name.
    init(_ entry: Entry, mostBytes: Int) {
        self.entry = entry
        self.mostBytes = mostBytes
    }

    var isEmpty: Bool { entry.commands.isEmpty }

    /// The revision of the next command.
    var next: UInt64 { entry.first &+ UInt64(entry.commands.count) }

    /// A table's place in the entry.
    mutating func place(of table: EditedTable, number: Int) -> Int {
        if let known = places[number] { return known }
        let place = entry.tables.count
        places[number] = place
        writersTables.append(number)
        entry.tables.append(EntryTable(name: table.stored.name, columns: table.columns))
        byteCount += table.columns.reduce(table.stored.name.utf8.count) { $0 + 2 + $1.utf8.count }
        return place
    }

    /// - Returns: false if the entry would be too large with the command.
    mutating func add(_ command: EntryCommand) -> Bool {
        let section = command.section(at: next)
        guard byteCount + section.count <= mostBytes else { return false }
        byteCount += section.count
        sections.write(section)
        entry.commands.append(command)
        return true
    }

    /// The command at a revision; nil if the entry has none there.
    func command(at revision: UInt64) -> EntryCommand? {
        guard entry.first..<next ~= revision else { return nil }
        return entry.commands[Int(revision - entry.first)]
    }

    /// Called after the last command: a table without effects is named without columns.
    mutating func note(highest: Int64, of table: EditedTable, number: Int) {
        let place = places[number] ?? entry.tables.count
        if place == entry.tables.count {
            entry.tables.append(EntryTable(name: table.stored.name, columns: []))
        }
        entry.highest.append(HighestRowID(table: place, rowID: highest))
    }

    func sealed() -> SealedEntry { entry.sealed(sections) }
}
