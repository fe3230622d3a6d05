import ValetModel

/// What a node's file holds at one place of the log.
package struct ContentMark: Hashable, Sendable {
    package var place: UInt64
    /// Of all rows: the same in all nodes' files.
    package var digest: UInt64

    package init(place: UInt64, digest: UInt64) { (self.place, self.digest) = (place, digest) }
}

/// Compares what the nodes' files hold at the same places of the log, which they tell each other
/// outside it. A node whose file is another than most have is to find out before its rows are shown
/// for long.
package struct ContentMarks: Sendable {
    /// Of each node, the newest: nodes are not at one place at one time.
    package static let most = 8

    private let name: String
    /// Places of the log between two marks.
    private let placesPerMark: UInt64
    package private(set) var own: [ContentMark] = []
    private var others: [String: (marks: [ContentMark], at: Int64)] = [:]

    /// - Parameter name: this node's.
    package init(of name: String, every placesPerMark: UInt64) {
        (self.name, self.placesPerMark) = (name, max(placesPerMark, 1))
    }

    package func isDue(at place: UInt64) -> Bool {
        place > 0 && place % placesPerMark == 0 && (own.last?.place ?? 0) < place
    }

    package mutating func add(_ mark: ContentMark) {
        own = (own + [mark]).suffix(Self.most)
    }

    package mutating func hear(_ report: MarksReport, at now: Int64) {
        guard report.name != name else { return }
        others = others.filter { $0.value.at + ClusterPeers.silence > now }
        if others.count < ClusterPeers.most || others[report.name] != nil {
            others[report.name] = (report.marks, now)
        }
    }

    /// The newest place at which this node's file is another than most others, or than the leader's
    /// where there is no majority.
    package func differs(fromLeader leader: String?) -> UInt64? {
        own.reversed().first { mark in
            var votes: [UInt64: Int] = [mark.digest: 1]
            for other in others.values {
                guard let its = other.marks.first(where: { $0.place == mark.place }) else {
                    continue
                }
                votes[its.digest, default: 0] += 1
            }
            let most = votes.values.max() ?? 1
            let winners = votes.filter { $0.value == most }.map(\.key)
            if winners.count == 1 { return winners != [mark.digest] }
            let leaders = leader.flatMap { leader in
                leader == name
                    ? mark.digest
                    : others[leader]?.marks.first { $0.place == mark.place }?.digest
            }
            return leaders.map { $0 != mark.digest } ?? false
        }?.place
    }
}

/// What a node tells everybody of its marks.
///
///     u8 number of marks, of each u64 place and u64 digest, and the node's name behind its length
///     as u16
package struct MarksReport: Hashable, Sendable {
    package var name: String
    package var marks: [ContentMark]

    package init(name: String, marks: [ContentMark]) { (self.name, self.marks) = (name, marks) }

    package var bytes: [UInt8] {
        let told = marks.suffix(ContentMarks.most)
        var bytes = [UInt8(clamping: told.count)]
        for number in told.flatMap({ [$0.place, $0.digest] }) { bytes.add(number) }
        bytes.add(name, atMost: Leadership.mostNameBytes)
        return bytes
    }

    /// nil if the bytes are none.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let count = reader.number(bytes: 1), count <= ContentMarks.most else { return nil }
        var marks: [ContentMark] = []
        for _ in 0..<count {
            guard let place = reader.number(bytes: 8), let digest = reader.number(bytes: 8) else {
                return nil
            }
            marks.append(ContentMark(place: place, digest: digest))
        }
        guard let name = reader.nodeName(), reader.isAtEnd else { return nil }
        self.init(name: name, marks: marks)
    }
}
