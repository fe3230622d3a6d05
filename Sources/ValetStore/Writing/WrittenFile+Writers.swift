import ValetModel

/// Who has sent which commands: so that a command that is sent again is not carried out again.
///
/// What is in the log is known from there. When its entries are dropped, a writer's row keeps the
/// highest number among them, and which of those just below it were carried out.
extension WrittenFile {
    func newWriter(for station: Station, at time: Int64) throws(ValetError) -> UInt64 {
        try ownCommit { () throws(ValetError) in
            try prepared.run(
                SQL.expireWriters,
                [
                    .integer(time - Limits.secondsOfWriters * 1_000_000),
                    .integer(time - Limits.secondsOfRetiredWriters * 1_000_000),
                ])
            guard let writer = try prepared.integer(SQL.countWriter), writer > 0 else {
                throw connection.damage("no state", of: "Valet's log")
            }
            try prepared.run(
                SQL.addWriter, [.integer(writer), station.id.cell, .integer(time)])
            return UInt64(writer)
        }
    }

    /// Does nothing to the writer of another station.
    func retire(
        writer: UInt64, of station: StationID, at time: Int64
    ) throws(ValetError) {
        guard let writer = Int64(exactly: writer) else { return }
        try ownCommit { () throws(ValetError) in
            try prepared.run(
                SQL.retireWriter, [.integer(time), .integer(writer), station.cell])
        }
    }

    /// A transaction that changes no list.
    func ownCommit<Value>(
        _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        do throws(ValetError) {
            return try connection.working(within: .command) { () throws(ValetError) in
                try prepared.run(SQL.beginWriting)
                try checkFile()
                let revision = try database.watch.look()
                let changes = connection.totalChanges
                let value = try body()
                try connection.commit(as: revision, to: database.watch, changedSince: changes)
                return value
            }
        } catch {
            rollBack()
            throw error
        }
    }

    /// The outcome of a command that was carried out; nil for one that was not, and can be. For
    /// other stations than the one that asked for it, there is no such writer.
    func knownOutcome(of sent: SentCommand) throws(ValetError) -> Outcome? {
        let (command, station) = (sent.command, sent.station.id)
        let name = command.name
        guard let writer = Int64(exactly: name.writer), let number = Int64(exactly: name.number),
            number > 0
        else { throw .expired(name) }
        let known = try prepared.run(
            SQL.command, [.integer(writer), .integer(number), station.cell]
        ) { row throws(ValetError) in
            guard row.integer(3) == command.digest else {
                throw ValetError(
                    .unexpected,
                    "the writer has sent another command under the number \(number)")
            }
            let verdict = Verdict(stored: row.byteArray(2))
            guard let verdict else {
                throw connection.damage("an outcome that can't be read", of: "Valet's log")
            }
            return Outcome(
                revision: UInt64(bitPattern: row.integer(0)), time: row.integer(1),
                verdict: verdict)
        }
        if let known { return known }
        guard let dropped = try numbers(droppedOf: writer, station) else {
            throw .expired(name)
        }
        let highest = max(
            dropped.highest, try prepared.integer(SQL.highestCommand, [.integer(writer)]) ?? 0)
        guard number > highest - Int64(Limits.commandsRemembered), !dropped.contains(number)
        else { throw .expired(name) }
        return nil
    }

    /// - Parameter station: nil for any.
    private func numbers(
        droppedOf writer: Int64, _ station: StationID? = nil
    ) throws(ValetError) -> CommandNumbers? {
        try prepared.run(SQL.writer, [.integer(writer), station?.cell ?? .null]) { row in
            CommandNumbers(
                highest: row.integer(0),
                bits: row.byteArray(1))
        }
    }
}

// MARK: Forgetting

extension WrittenFile {
    /// Drops the oldest entries of the log beyond its limits: a few for each new one.
    func trim(at time: Int64, commands count: Int) throws(ValetError) {
        for _ in 0..<2 * count {
            guard try dropEffects() else { break }
        }
        for _ in 0..<2 * count {
            guard try dropCommand(at: time) else { break }
        }
    }

    private func dropEffects() throws(ValetError) -> Bool {
        let oldest = try prepared.run(SQL.oldestEffects) { row in
            (
                revision: row.integer(0), bytes: row.integer(1),
                effects: row.byteArray(2)
            )
        }
        guard let oldest,
            bytesOfEffects.subtractingReportingOverflow(oldest.bytes).partialValue
                > Int64(Limits.bytesOfLog)
        else { return false }
        let effects = [Effect](
            stored: oldest.effects, at: UInt64(bitPattern: oldest.revision))
        for effect in effects ?? [] {
            guard let table = tableOfShape[effect.shape] else { continue }
            try prepared.run(
                SQL.forgetLastChange,
                [
                    .integer(tables[table].number), .integer(effect.rowID),
                    .integer(oldest.revision),
                ])
        }
        try prepared.run(SQL.forgetChanges, [.integer(oldest.revision)])
        try prepared.run(SQL.forgetEffects, [.integer(oldest.revision)])
        return true
    }

    private func dropCommand(at time: Int64) throws(ValetError) -> Bool {
        let oldest = try prepared.run(SQL.oldestCommand) { row in
            (
                revision: row.integer(0), time: row.integer(1), writer: row.integer(2),
                number: row.integer(3)
            )
        }
        guard let oldest else { return false }
        let newest = try prepared.integer(SQL.newestRevision) ?? 0
        let isOld = oldest.time < time - Limits.secondsOfOutcomes * 1_000_000
        // The newest one stays, since it says how far revisions have come.
        guard oldest.revision < newest else { return false }
        if !isOld {
            guard try countCommands() > Int64(Limits.outcomes) else { return false }
        }
        if var numbers = try numbers(droppedOf: oldest.writer) {
            numbers.insert(oldest.number)
            try prepared.run(
                SQL.saveWriter,
                [
                    .integer(numbers.highest), .block(numbers.bits), .integer(oldest.time),
                    .integer(oldest.writer),
                ])
        }
        try prepared.run(SQL.forgetCommand, [.integer(oldest.revision)])
        commandCount = commandCount.map { $0 - 1 }
        return true
    }

    /// Counted once: revisions have gaps, so they don't tell.
    private func countCommands() throws(ValetError) -> Int64 {
        if let commandCount { return commandCount }
        let count = try prepared.integer(SQL.countCommands) ?? 0
        commandCount = count
        return count
    }
}

/// A set of numbers that forgets those far below the highest.
struct CommandNumbers: Equatable {
    private(set) var highest: Int64
    /// Bit `n` of the bytes is the number `highest - n`.
    private(set) var bits: [UInt8]

    private static let byteCount = Limits.commandsRemembered / 8

    /// - Parameter bits: may be short, or from a damaged file.
    init(highest: Int64 = 0, bits: [UInt8] = []) {
        self.highest = max(highest, 0)
        self.bits = Array(bits.prefix(Self.byteCount))
        self.bits += repeatElement(0, count: Self.byteCount - self.bits.count)
    }

    /// True for numbers that are too low to know, too.
    func contains(_ number: Int64) -> Bool {
        guard number <= highest else { return false }
        let age = highest - number
        guard age < Limits.commandsRemembered else { return true }
        return bits[Int(age) / 8] & 1 << UInt8(age % 8) != 0
    }

    /// - Parameter number: at least 1; a damaged file may hold others, which nobody asks for.
    mutating func insert(_ number: Int64) {
        guard number > 0 else { return }
        if number > highest {
            shift(by: number - highest)
            highest = number
        }
        let age = highest - number
        guard age < Limits.commandsRemembered else { return }
        bits[Int(age) / 8] |= 1 << UInt8(age % 8)
    }

    private mutating func shift(by distance: Int64) {
        guard distance < Limits.commandsRemembered else {
            bits = Array(repeating: 0, count: Self.byteCount)
            return
        }
        let (bytes, rest) = Int(distance).quotientAndRemainder(dividingBy: 8)
        var shifted = [UInt8](repeating: 0, count: Self.byteCount)
        for place in bytes..<Self.byteCount {
            let low = bits[place - bytes] << UInt8(rest)
            let carried =
                rest > 0 && place > bytes ? bits[place - bytes - 1] >> UInt8(8 - rest) : 0
            shifted[place] = low | carried
        }
        bits = shifted
    }
}
