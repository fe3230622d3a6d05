import Logging
import ValetModel
import ValetStore

/// What all loops of a server share: the catalog, the keepers of its lists, and the threads that read.
struct SharedServices: Sendable {
    let catalog: Catalog
    /// Numbers of page names and revisions are compared within an epoch only.
    let epoch: UInt64
    let name: String
    let keepers: [ListKeeper]
    /// Pages and details: short reads that somebody looks at.
    let readers: ReaderPool
    /// Reading in, sorting, searching, counting.
    let builders: ReaderPool
    let logger: Logger
}
