import ValetModel

/// What makes a file that of a cluster's node: the *state* says how far the cluster's log was taken
/// in, and is written in the transactions that do so. Only the cluster knows what it means.
///
/// The mark lasts until the file leaves the cluster. Revisions of such a file are those of the log
/// alone: an opening draws none, since the same revision has to mean the same in every node's file.
package enum NodeMark {
    /// nil for a file that is no node's.
    package static func state(inFile path: String) throws(ValetError) -> [UInt8]? {
        try LeftLog.check(path)
        return try Connection(path: path).nodeState()
    }

    /// The same, of a whole copy that nobody changes.
    package static func state(inCopy path: String) throws(ValetError) -> [UInt8]? {
        try Connection(path: path, access: .readAlone).nodeState()
    }

    /// Makes a file a node's: it gets a log if it has none. Copies of it are files of other nodes.
    ///
    /// - Parameter microseconds: the time now, since 1970, UTC.
    package static func make(
        inFile path: String, _ state: [UInt8], at microseconds: Int64
    ) throws(ValetError) {
        let writer = try Writer(of: Database(path: path), address: "valetd cluster init")
        try writer.file(at: microseconds).joinCluster(state)
    }

    /// The file is as others are, from now on.
    package static func remove(fromFile path: String) throws(ValetError) {
        let file = try FilePath.existingFile(path)
        try LeftLog.check(file)
        let ownership = try Ownership(of: file, address: "valetd cluster leave")
        defer { withExtendedLifetime(ownership) {} }
        let connection = try Connection(path: file, access: .write)
        try connection.working(within: .opening) { () throws(ValetError) in
            guard try connection.nodeState() != nil else {
                throw ValetError(.unexpected, "“\(path)” is of no cluster")
            }
            try connection.run(SQL.durable)
            try connection.run(SQL.dropNodeMark)
        }
    }

    static func isNone(_ path: String) -> ValetError {
        .readOnly("“\(path)” is of no cluster: `valetd cluster init` makes it the first of one")
    }

    static func isSome(_ path: String) -> ValetError {
        .readOnly(
            "“\(path)” is the file of a cluster's node: serve it with --cluster, or take it out "
                + "with `valetd cluster leave`")
    }
}

extension Connection {
    /// Whether the file is a node's.
    func isOfNode() throws(ValetError) -> Bool { try integer(SQL.nodeMarkExists) > 0 }

    /// nil in a file that is no node's. Throws if it can't be read.
    func nodeState() throws(ValetError) -> [UInt8]? {
        guard try isOfNode() else { return nil }
        let found = try ofLog { () throws(ValetError) -> [UInt8]? in
            let state = try prepare(SQL.nodeState)
            return try state.step() ? state.byteArray(0) : nil
        }
        guard let state = found ?? nil else { throw damagedLog("no mark of its cluster") }
        return state
    }
}
