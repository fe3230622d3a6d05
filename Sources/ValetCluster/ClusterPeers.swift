/// What the other nodes of a cluster have said of themselves of late.
package struct ClusterPeers: Sendable {
    /// So many are kept; a cluster has three or five.
    package static let most = 32
    /// In milliseconds: who has said nothing for so long is not there.
    static let silence: Int64 = 5_000
    /// One report may be late, of a process that has ended.
    private static let reportsOfNamesake = 3

    private var heard: [String: (report: NodeReport, at: Int64)] = [:]
    private var namesakes = 0

    package init() {}

    /// - Parameters:
    ///   - name: this node's own.
    ///   - incarnation: likewise.
    /// - Returns: whether another node has this one's name, and had it before.
    package mutating func hear(
        _ report: NodeReport, as name: String, _ incarnation: UInt64, at now: Int64
    ) -> Bool {
        guard report.name != name else {
            if report.incarnation < incarnation { namesakes += 1 }
            return namesakes >= Self.reportsOfNamesake
        }
        heard = heard.filter { $0.value.at + Self.silence > now }
        if heard.count < Self.most || heard[report.name] != nil {
            heard[report.name] = (report, now)
        }
        return false
    }

    /// By their names.
    package func reports(at now: Int64) -> [NodeReport] {
        heard.values.filter { $0.at + Self.silence > now }.map(\.report)
            .sorted { $0.name < $1.name }
    }
}
