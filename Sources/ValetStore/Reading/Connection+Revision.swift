import ValetModel

extension Connection {
    /// Runs `body` in one read transaction and passes it the transaction's revision.
    func reading<Value>(
        _ watch: FileWatch, _ body: (UInt64) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        for _ in 0..<Limits.transactionsBegun {
            let before = try watch.look()
            guard !watch.isOverwritten else { throw overwritten }
            let value: Value? = try reading { () throws(ValetError) in
                // SQLite begins the transaction at its first read.
                _ = try integer(SQL.dataVersion)
                let written = watch.written
                guard try watch.look() == before else { return nil }
                let value = try body(before)
                guard try watch.isUntouched(since: written) else { throw overwritten }
                return value
            }
            if let value { return value }
        }
        throw .storageFailed("“\(file)” changes too fast to be read: try again later")
    }

    private var overwritten: ValetError {
        ValetError(.storageFailed, "another file was copied over “\(file)”: try again")
    }
}
