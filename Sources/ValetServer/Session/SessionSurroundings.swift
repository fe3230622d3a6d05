import NIOCore
import ValetArrangement
import ValetModel

/// What a session can look up at once, without waiting: the newest published snapshots, and the few
/// things that all sessions share.
protocol SessionSurroundings {
    var catalog: Catalog { get }
    var epoch: UInt64 { get }
    var serverName: String { get }
    /// The event loop's time.
    var now: NIODeadline { get }
    /// The newest snapshot of a list that was published here; nil while nothing has been read in.
    func snapshot(ofList list: Int) -> Snapshot?
    /// The projection for these columns, or for all when the list has no numbers left.
    func projection(list: Int, columns: [Int]) -> Projection
}
