import NIOCore
import ValetArrangement
import ValetModel
import ValetSecurity

/// What a session can look up without waiting: the newest published snapshots, and a few values
/// that all sessions share.
protocol SessionSurroundings {
    /// - Parameter access: what somebody may see; nil for everything.
    func catalog(for access: PrincipalAccess?) -> ServedCatalog
    /// Whom the bytes of a token stand for, or, without one, the key of the client's certificate;
    /// nil if everyone may connect.
    func visitor(
        with token: [UInt8]?, orKey key: KeyFingerprint?
    ) throws(ValetError) -> Visitor?
    /// Why the server takes no changes now; nil if it does.
    var refusalOfChanges: ValetError? { get }
    var epoch: UInt64 { get }
    /// The epochs whose commands mean the same in this one.
    var validEpochs: Set<UInt64> { get }
    var serverName: String { get }
    /// nil where the server is in no cluster.
    var servingNode: ServingNode? { get }
    /// The event loop's time.
    var now: NIODeadline { get }
    /// The newest published snapshot of a list; nil while nothing is loaded.
    func snapshot(ofList list: Int) -> Snapshot?
    /// The projection for these columns, or for all if the list has no numbers left.
    ///
    /// - Parameter left: how many new ones the connection may still get.
    func projection(list: Int, columns: [Int], left: inout Int) -> Projection
}
