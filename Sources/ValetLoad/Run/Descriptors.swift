import ValetCommands
import ValetModel

extension Descriptors {
    /// What a process needs beside connections.
    private static let others = 256

    /// Each connection takes one in this process, and one in a server that we started, which
    /// inherits our limit.
    /// - Throws: `.limitExceeded` when there can't be so many.
    static func require(for connections: Int) throws(ValetError) {
        let needed = connections + others
        let room = makeRoom(for: needed)
        guard room >= needed else {
            throw .limit("open files of a process (ulimit -n)", is: room, asked: needed)
        }
    }
}
