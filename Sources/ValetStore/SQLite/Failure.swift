import CSQLite
import ValetModel

extension ValetError {
    static func storageFailed(_ message: String) -> ValetError {
        ValetError(.storageFailed, message)
    }

    static func readOnly(_ message: String) -> ValetError { ValetError(.readOnly, message) }

    static func expired(_ message: String) -> ValetError { ValetError(.expired, message) }

    static func listUnavailable(_ message: String) -> ValetError {
        ValetError(.listUnavailable, message)
    }

    static func busy(_ message: String) -> ValetError { ValetError(.busy, message) }
}

extension Connection {
    /// Maps SQLite's result codes to errors that say what happened, to what, and what to do.
    func failure(_ code: Int32, doing verb: String, to subject: String? = nil) -> ValetError {
        let message = String(cString: sqlite3_errmsg(handle))
        // The message may quote the schema, which may be long.
        let reason = message.count <= 300 ? message : String(message.prefix(300)) + "…"
        let place = subject.map { "\($0) of “\(file)”" } ?? "“\(file)”"
        // The low byte is the primary code; the rest refines it.
        switch code & 0xFF {
        case SQLITE_NOTADB:
            return .storageFailed(
                "“\(file)” is not a SQLite database, or it is encrypted: name another file")
        case SQLITE_CORRUPT: return damaged(place, reason)
        case SQLITE_BUSY, SQLITE_LOCKED:
            // A change that was not begun can be asked for again.
            return ValetError(
                isReadOnly ? .storageFailed : .busy,
                "“\(file)” is locked by another program: wait until it has finished, or stop it")
        case SQLITE_READONLY: return readOnly(verb, place)
        case SQLITE_CANTOPEN: return cannotOpen(place)
        case SQLITE_INTERRUPT: return stopped(place)
        case SQLITE_TOOBIG:
            return .storageFailed(
                "\(place) has a value or row of more than \(Limits.bytesPerValue) bytes "
                    + "(bytesPerValue)")
        case SQLITE_NOMEM:
            return .storageFailed("there is not enough memory to \(verb) \(place)")
        case SQLITE_CONSTRAINT: return .storageFailed("\(place) refuses the row: \(reason)")
        // The second is of a log's index that can't grow.
        case SQLITE_FULL,
            SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8:
            return .storageFailed("the disk is full, so SQLite can't \(verb) \(place): make room")
        case SQLITE_IOERR:
            return .storageFailed(
                "can't \(verb) \(place): the disk failed (\(reason), code \(code)): check the disk")
        case SQLITE_ERROR where subject != nil:
            return .listUnavailable("can't \(verb) \(place): \(reason)")
        case let other:
            return .storageFailed("can't \(verb) \(place): \(reason) (code \(other))")
        }
    }

    /// An error for damage that SQLite has not noticed.
    func damage(_ reason: String, of subject: String) -> ValetError {
        damaged("\(subject) of “\(file)”", reason)
    }

    func damagedLog(_ reason: String) -> ValetError { damage(reason, of: "Valet's log") }

    private func damaged(_ place: String, _ reason: String) -> ValetError {
        .storageFailed(
            "\(place) is damaged or cut off (\(reason)): restore it from a backup, or save what "
                + "can be read with sqlite3's .recover")
    }

    private func readOnly(_ verb: String, _ place: String) -> ValetError {
        if FilePath.exists(file + "-journal") {
            return .storageFailed(
                "“\(file)” was left in the middle of a change, which a reader can't undo: "
                    + "open it once with the program that wrote it, or with sqlite3")
        }
        // The reader finds no shared memory for a WAL file, and may not create it.
        if verb != "change" { return cannotOpen(place) }
        return .storageFailed("can't change \(place): the file, or its folder, is read-only")
    }

    private func cannotOpen(_ place: String) -> ValetError {
        .storageFailed(
            hasWALHeader
                ? "“\(file)” keeps a write-ahead log beside it, which can't be opened here: make "
                    + "the folder writable, or run “PRAGMA journal_mode=DELETE” on the file first"
                : "can't open \(place): check the permissions of the file and its folder")
    }

    private func stopped(_ place: String) -> ValetError {
        switch interruption.cause {
        case .stopping: ValetError(.shuttingDown, "the server is shutting down")
        case .cancelled, nil:
            ValetError(.superseded, "the reading of \(place) was cancelled")
        case .overdue(let budget):
            ValetError(
                .overBudget,
                "\(place) took longer than \(budget.time.components.seconds) seconds "
                    + "\(budget.purpose) (\(budget.limit))\(budget.advice)")
        case .keepsWriter(let patience):
            ValetError(
                .overBudget,
                "another program has waited \(patience.components.seconds) seconds to write the "
                    + "file while \(place) was read (secondsOfKeptWriter): turn on its write-ahead "
                    + "log, where readers block nobody, or select less")
        case .ticksSpent: ValetError(.overBudget, "\(place) took too many steps to look through")
        }
    }
}
