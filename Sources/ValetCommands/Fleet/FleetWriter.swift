import Foundation
import ValetModel
import ValetStore

/// Puts a fleet into a SQLite file.
///
/// The table is made under another name beside the file, which takes the place of what was there
/// only when it is whole: a run that ends early leaves the file as it was.
package struct FleetWriter {
    package var fleet: Fleet
    package var rows: Int

    package static let table = "cars"
    static let columns = [
        NewColumn("make", .text), NewColumn("model", .text), NewColumn("year", .integer),
        NewColumn("fuel", .real), NewColumn("parked", .datetime),
        NewColumn("owner_first", .text), NewColumn("owner_last", .text),
    ]

    package init(fleet: Fleet, rows: Int) {
        self.fleet = fleet
        self.rows = rows
    }

    /// Calls `progress` with the number of rows written, every few thousand rows.
    package func write(
        to path: String, replacing: Bool, progress: (Int) -> Void = { _ in }
    ) throws(ValetError) {
        if !replacing, FileManager.default.fileExists(atPath: path) {
            throw ValetError(.notAllowed, "there is a file “\(path)” already: --force replaces it")
        }
        let unfinished = path + ".unfinished"
        Self.remove(unfinished)
        do {
            try fill(Connection(path: unfinished, access: .create), progress: progress)
            try Self.move(unfinished, to: path)
        } catch {
            Self.remove(unfinished)
            throw error
        }
    }

    /// Makes the table in a database that is open.
    func fill(_ connection: Connection, progress: (Int) -> Void = { _ in }) throws(ValetError) {
        let writer = try TableWriter(on: connection, table: Self.table, columns: Self.columns)
        for index in 0..<rows {
            writer.row.bind(fleet.car(at: index))
            try writer.insertRow()
            if (index + 1) % 4_096 == 0 { progress(index + 1) }
        }
        try writer.commit()
        progress(rows)
    }

    // MARK: Files

    /// A database's journals go with it: beside another database they would corrupt it.
    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    private static func move(_ path: String, to place: String) throws(ValetError) {
        remove(place)
        guard rename(path, place) == 0 else {
            let reason = String(cString: strerror(errno))
            throw ValetError(.storageFailed, "can't write “\(place)”: \(reason)")
        }
    }
}

extension Statement {
    fileprivate func bind(_ car: Car) {
        bind(text: car.make, at: 0)
        bind(text: car.model, at: 1)
        if let year = car.year { bind(year, at: 2) } else { bindNull(at: 2) }
        if let fuel = car.fuel { bind(fuel, at: 3) } else { bindNull(at: 3) }
        if let parked = car.parked { bind(parked, at: 4) } else { bindNull(at: 4) }
        bind(text: car.ownerFirst, at: 5)
        bind(text: car.ownerLast, at: 6)
    }

    private func bind(text: String?, at index: Int) {
        if let text { bind(text, at: index) } else { bindNull(at: index) }
    }
}
