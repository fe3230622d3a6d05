import ValetModel

/// The version of the servers that keep a log.
package struct LogServerVersion: Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// Earlier ones acknowledge what they have not stored, or lose it with the power.
    package static let least = LogServerVersion(numbers: [2, 15, 1])

    private init(numbers: [Int]) { self.numbers = numbers }

    /// - Parameter text: as `2.15.1` or `2.16.0-RC.1`; nil if it is none.
    package init?(_ text: String) {
        let numbers = text.prefix { $0 != "-" }.split(
            separator: ".", omittingEmptySubsequences: false
        )
        .map { Int($0) }
        guard numbers.count == 3, numbers.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
        self.numbers = numbers.compactMap(\.self)
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }

    /// Why servers may not keep a log; nil if they may.
    ///
    /// - Parameter version: as they say it; nil for old ones, which don't.
    package static func refusal(of version: String?) -> ValetError? {
        let known = version.flatMap(Self.init)
        if let known, known >= least { return nil }
        let what =
            version.map { "are nats-server \($0.cut(toBytes: 64))" }
            ?? "don't say their version, as old ones"
        return ValetError(
            .unsupportedVersion,
            "the servers of the cluster's log \(what): take nats-server \(least) or later, since "
                + "earlier ones can lose what was acknowledged")
    }
}
