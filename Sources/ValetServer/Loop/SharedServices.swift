import Logging
import ValetModel
import ValetStore

/// What all loops of a server share: the catalog, its lists, pages, and the threads
/// that read.
struct SharedServices: Sendable {
    let catalog: Catalog
    /// Numbers of page names and revisions are compared within an epoch only.
    let epoch: UInt64
    let name: String
    let lists: [KeptList]
    /// The newest snapshots of all of them.
    let publications: Publications
    let counter: RowCounter
    let pages: PageCache
    let statistics: StatisticsCollector
    /// Pages and details: short reads that somebody looks at.
    let readers: ReaderPool
    /// Reading in, sorting, searching, counting.
    let builders: ReaderPool
    /// The same for lists that are copied first, which may take a minute: others must not wait.
    let copiers: ReaderPool
    /// By list.
    let isCopied: [Bool]
    let logger: Logger

    /// Who reads single rows of a list. Before anyone has opened it, it may have to be copied
    /// first, and that must not stand in the way of pages.
    func pool(forList list: Int) -> ReaderPool {
        if lists[list].isReadIn { return readers }
        return isCopied[list] ? copiers : builders
    }
}
