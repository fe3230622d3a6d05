import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A whole copy of a file, which nobody changes.
package struct CopiedFile: Hashable, Sendable {
    package let path: String
    /// The newest command in it; 0 without a log.
    package let revision: UInt64
    package let byteCount: Int

    private static let time = Duration.seconds(24 * 3_600)

    /// - Throws: `ValetError` with `.storageFailed` if it can't be read, and with `.readOnly` if it
    ///   is of a later version of Valet.
    package init(_ path: String) throws(ValetError) {
        let connection = try Connection(path: path, access: .readAlone)
        revision = try connection.working(within: .opening) { () throws(ValetError) in
            guard try connection.integer(SQL.logExists) > 0 else { return 0 }
            _ = try PreparedStatements(connection).logState(of: path)
            return try connection.log().newestCommand
        }
        self.path = path
        byteCount = Int(FilePath.stamp(of: path)?.byteCount ?? 0)
    }

    /// Looks through all of it for damage, which takes some times as long as to read it.
    /// - Throws: `ValetError` with `.storageFailed` for damage.
    package func check(cancelled: () -> Bool = { false }) throws(ValetError) {
        let connection = try Connection(path: path, access: .readAlone)
        let budget = Budget.lookup.taking(Self.time)
        try connection.working(within: budget, cancelled: cancelled) { () throws(ValetError) in
            let check = try connection.prepare(SQL.integrityCheck)
            let found = try check.step() ? check.text(0) ?? "" : ""
            guard found == "ok" else { throw connection.damage(found, of: "the content") }
        }
    }

    /// Throws half a copy away.
    package static func remove(_ path: String) { FilePath.removeDatabase(path) }

    /// Gives it its name, in place of a file that has it, so that a loss of power leaves one or the
    /// other whole.
    package func move(to name: String) throws(ValetError) {
        try OpenedFile(path).sync()
        guard rename(path, name) == 0 else {
            throw FilePath.failure(name, errno, doing: "write")
        }
        let folder = FilePath.folder(of: name)
        try OpenedFile(folder.isEmpty ? "/" : folder).sync()
    }
}
