import ValetClient
import ValetModel
import ValetStore

/// Whether a target opens, and how well.
extension Finding {
    /// Long enough for a file of some gigabytes that is in memory.
    private static let timeForIntegrity = Duration.seconds(5)
    private static let roundTrips = 5

    static func ofTarget(_ text: String, catalog: String?) async throws -> [Finding] {
        switch try Target(text) {
        case .server: try await ofServer(TargetOptions(target: text))
        case .file(let path): ofFile(path, catalog: catalog)
        case .demo: [Finding(check: "target", found: "the gallery")]
        case .csv("-"): [Finding(check: "target", found: "standard input")]
        case .csv(let path):
            [Finding(check: "target", found: "a CSV file"), missing(path)].compactMap(\.self)
        }
    }

    private static func missing(_ path: String) -> Finding? {
        do throws(CommandFailure) {
            try requireFile(path)
            return nil
        } catch {
            return Finding(
                check: "target", state: .wrong, found: error.error, advice: "check its path")
        }
    }

    // MARK: A server

    private static func ofServer(_ target: TargetOptions) async throws -> [Finding] {
        do {
            return try await OpenTarget.with(target) { open in
                let (catalog, _) = try await open.connection.catalog(countingRows: false)
                var fastest = Duration.seconds(60)
                for _ in 0..<roundTrips {
                    fastest = min(fastest, try await open.connection.roundTrip())
                }
                let tenths = Int((fastest / .microseconds(100)).rounded())
                let time = "\(tenths / 10).\(tenths % 10)"
                return [
                    Finding(
                        check: "server",
                        found: "\(open.connection.server.name), "
                            + number(of: catalog.lists.count)),
                    Finding(check: "round trip", found: "\(time) ms"),
                ]
            }
        } catch let error as ValetError {
            return [
                Finding(
                    check: "server", state: .wrong, found: "\(error)",
                    advice: "start one there: valetd serve FILE --listen HOST:PORT")
            ]
        }
    }

    // MARK: A file

    private static func ofFile(_ path: String, catalog: String?) -> [Finding] {
        if let missing = missing(path) { return [missing] }
        do throws(ValetError) {
            try LeftLog.check(path)
        } catch {
            return [Finding(check: "file", state: .wrong, found: error.message)]
        }
        do throws(ValetError) {
            let check = try FileCheck(path: path, time: timeForIntegrity)
            return ofLists(path, catalog: catalog) + [
                integrity(check.integrity, path), journal(check, path), owner(check, path),
                triggers(check, path),
            ]
        } catch {
            return [
                Finding(
                    check: "file", state: .wrong, found: "\(error)",
                    advice: "Valet opens SQLite files, CSV files and valet://HOST")
            ]
        }
    }

    private static func ofLists(_ path: String, catalog: String?) -> [Finding] {
        do throws(ValetError) {
            let database = try Database(path: path, catalogPath: catalog)
            let count = database.catalog.lists.count
            let lists = Finding(
                check: "lists", state: count == 0 ? .note : .ok, found: number(of: count),
                advice: count == 0 ? "valet import FILE.csv makes a table" : nil)
            return [lists]
                + database.leftOut.map {
                    Finding(
                        check: "lists", state: .note, found: "“\($0.name)” is none: \($0.reason)")
                }
        } catch {
            return [
                Finding(
                    check: "lists", state: .wrong, found: "\(error)",
                    advice: catalog == nil ? nil : "correct the catalog")
            ]
        }
    }

    private static func number(of lists: Int) -> String {
        lists == 1 ? "1 list" : "\(lists) lists"
    }

    private static func integrity(_ integrity: FileCheck.Integrity, _ path: String) -> Finding {
        switch integrity {
        case .sound: Finding(check: "integrity", found: "PRAGMA quick_check found no damage")
        case .unfinished:
            Finding(
                check: "integrity", state: .note, found: "no damage found, but time ran out",
                advice: "sqlite3 \(shellWord(path)) 'PRAGMA quick_check' checks all of it")
        case .damaged(let damage):
            Finding(
                check: "integrity", state: .wrong, found: damage,
                advice: "restore a copy; sqlite3 \(shellWord(path)) .recover saves what can be read"
            )
        }
    }

    private static func journal(_ check: FileCheck, _ path: String) -> Finding {
        check.isWAL
            ? Finding(check: "journal", found: "write-ahead log")
            : Finding(
                check: "journal", state: .note,
                found: "rollback, so readers wait while another program writes",
                advice: "sqlite3 \(shellWord(path)) 'PRAGMA journal_mode=WAL' changes that")
    }

    /// A path as it is pasted into a shell.
    static func shellWord(_ path: String) -> String {
        "'" + path.replacing("'", with: "'\\''") + "'"
    }

    private static func owner(_ check: FileCheck, _ path: String) -> Finding {
        guard let owner = check.owner else {
            if check.hasPartOfLog {
                return Finding(
                    check: "owner", state: .wrong,
                    found: "nobody, but some of the tables of Valet's history are gone: "
                        + "it can't be changed",
                    advice: "valetd log remove \(shellWord(path)) takes the others out")
            }
            return Finding(check: "owner", found: "nobody: it can be changed")
        }
        return Finding(
            check: "owner", state: .note, found: "another process", advice: owner.message)
    }

    private static func triggers(_ check: FileCheck, _ path: String) -> Finding {
        let all = check.tables == 1 ? "1 table or view" : "\(check.tables) tables and views"
        let found = "on \(check.tablesWithTriggers) of \(all)"
        return check.tablesWithTriggers > 0
            ? Finding(check: "triggers", found: found)
            : Finding(
                check: "triggers", state: .note, found: found,
                advice: "“valetd triggers add” shows changes of other programs sooner")
    }
}
