import CSQLite
import ValetModel

/// Maps SQLite's result codes to errors that say what happened, to what, and what to do.
enum Failure {
    /// - Parameter isWriter: the connection may change the file.
    static func error(
        code: Int32, message: String, doing verb: String, to subject: String?, file: String,
        isWriter: Bool, isWAL: @autoclosure () -> Bool, cause: Interruption.Cause?
    ) -> ValetError {
        let place = subject.map { "\($0) of “\(file)”" } ?? "“\(file)”"
        // The low byte is the primary code; the rest refines it.
        switch code & 0xFF {
        case SQLITE_NOTADB:
            return ValetError(
                .storageFailed,
                "“\(file)” is not a SQLite database, or it is encrypted: name another file")
        case SQLITE_CORRUPT:
            return damaged(place, brief(message))
        case SQLITE_BUSY, SQLITE_LOCKED:
            // A change that was not begun can be asked for again.
            return ValetError(
                isWriter ? .busy : .storageFailed,
                "“\(file)” is locked by another program: wait until it has finished, or stop it")
        case SQLITE_READONLY:
            return readOnly(verb: verb, place: place, file: file, isWAL: isWAL())
        case SQLITE_CANTOPEN: return cannotOpen(file, place: place, isWAL: isWAL())
        case SQLITE_INTERRUPT: return stopped(cause, place: place)
        case SQLITE_FULL: return full(place, verb)
        case SQLITE_TOOBIG:
            return ValetError(
                .storageFailed,
                "\(place) has a value or row of more than \(Limits.bytesPerValue) bytes "
                    + "(bytesPerValue)")
        case SQLITE_NOMEM:
            return ValetError(.storageFailed, "there is not enough memory to \(verb) \(place)")
        case SQLITE_CONSTRAINT:
            return ValetError(.storageFailed, "\(place) refuses the row: \(brief(message))")
        // The log's index can't grow.
        case SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8: return full(place, verb)
        case SQLITE_IOERR:
            return ValetError(
                .storageFailed,
                "can't \(verb) \(place): the disk failed (\(brief(message)), code \(code)): "
                    + "check the disk")
        case SQLITE_ERROR where subject != nil:
            return ValetError(.listUnavailable, "can't \(verb) \(place): \(brief(message))")
        case let other:
            return ValetError(
                .storageFailed, "can't \(verb) \(place): \(brief(message)) (code \(other))")
        }
    }

    private static func full(_ place: String, _ verb: String) -> ValetError {
        ValetError(.storageFailed, "the disk is full, so SQLite can't \(verb) \(place): make room")
    }

    static func damaged(_ place: String, _ reason: String) -> ValetError {
        ValetError(
            .storageFailed,
            "\(place) is damaged or cut off (\(reason)): restore it from a backup, or save what "
                + "can be read with sqlite3's .recover")
    }

    private static func readOnly(
        verb: String, place: String, file: String, isWAL: Bool
    ) -> ValetError {
        if FilePath.hasJournal(file) {
            return ValetError(
                .storageFailed,
                "“\(file)” was left in the middle of a change, which a reader can't undo: "
                    + "open it once with the program that wrote it, or with sqlite3")
        }
        // The reader finds no shared memory for a WAL file, and may not create it.
        if verb != "change" { return cannotOpen(file, place: place, isWAL: isWAL) }
        return ValetError(
            .storageFailed, "can't change \(place): the file, or its folder, is read-only")
    }

    private static func cannotOpen(_ file: String, place: String, isWAL: Bool) -> ValetError {
        if isWAL {
            return ValetError(
                .storageFailed,
                "“\(file)” keeps a write-ahead log beside it, which can't be opened here: make the "
                    + "folder writable, or run “PRAGMA journal_mode=DELETE” on the file first")
        }
        return ValetError(
            .storageFailed, "can't open \(place): check the permissions of the file and its folder")
    }

    private static func stopped(_ cause: Interruption.Cause?, place: String) -> ValetError {
        switch cause {
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

    /// SQLite's messages may quote the schema, which may be long.
    private static func brief(_ message: String) -> String {
        message.count <= 300 ? message : String(message.prefix(300)) + "…"
    }
}
