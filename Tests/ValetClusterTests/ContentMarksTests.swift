import Testing
import ValetModel

@testable import ValetCluster

@Suite struct ContentMarksTests {
    private var marks = ContentMarks(of: "ana", every: 10)

    private mutating func hear(_ name: String, _ digests: [UInt64: UInt64], at now: Int64 = 0) {
        let marks = digests.sorted { $0.key < $1.key }.map {
            ContentMark(place: $0.key, digest: $0.value)
        }
        self.marks.hear(MarksReport(name: name, marks: marks), at: now)
    }

    @Test mutating func everySoManyPlacesOneIsDueOnce() {
        #expect((0...30).filter { marks.isDue(at: $0) } == [10, 20, 30])
        marks.add(ContentMark(place: 20, digest: 1))
        #expect((0...30).filter { marks.isDue(at: $0) } == [30])
        #expect(ContentMarks(of: "ana", every: 0).isDue(at: 1), "no division by nothing")
    }

    @Test mutating func onlyTheSamePlacesAreCompared() {
        marks.add(ContentMark(place: 10, digest: 1))
        #expect(marks.differs(fromLeader: "bo") == nil)
        hear("bo", [20: 2])
        #expect(marks.differs(fromLeader: "bo") == nil)
        hear("bo", [10: 1, 20: 2])
        #expect(marks.differs(fromLeader: "bo") == nil)
        marks.add(ContentMark(place: 20, digest: 3))
        #expect(marks.differs(fromLeader: "bo") == 20)
    }

    @Test mutating func mostAreRight() {
        marks.add(ContentMark(place: 10, digest: 1))
        hear("bo", [10: 2])
        hear("cy", [10: 1])
        #expect(marks.differs(fromLeader: "bo") == nil, "the leader is the odd one")
        hear("cy", [10: 2])
        #expect(marks.differs(fromLeader: "ana") == 10, "this one is, and leads")
    }

    @Test mutating func withoutAMajorityTheLeaderIsRight() {
        marks.add(ContentMark(place: 10, digest: 1))
        hear("bo", [10: 2])
        #expect(marks.differs(fromLeader: "bo") == 10)
        #expect(marks.differs(fromLeader: "ana") == nil)
        #expect(marks.differs(fromLeader: nil) == nil && marks.differs(fromLeader: "cy") == nil)
        hear("cy", [10: 3])
        #expect(marks.differs(fromLeader: "bo") == 10 && marks.differs(fromLeader: "ana") == nil)
        hear("di", [10: 2])
        hear("ed", [10: 3])
        #expect(marks.differs(fromLeader: "bo") == 10)
    }

    @Test mutating func itsOwnWordsAndThoseOfTheSilentDoNotCount() {
        marks.add(ContentMark(place: 10, digest: 1))
        hear("ana", [10: 2])
        #expect(marks.differs(fromLeader: "ana") == nil)
        hear("bo", [10: 2])
        hear("cy", [20: 2], at: 6_000)
        #expect(marks.differs(fromLeader: "bo") == nil)
    }

    @Test mutating func soManyAreKept() {
        for place in UInt64(1)...20 { marks.add(ContentMark(place: place * 10, digest: 1)) }
        #expect(marks.own.map(\.place) == (13...20).map { $0 * 10 })
        for number in 0..<2 * ClusterPeers.most { hear("node \(number)", [200: 2]) }
        #expect(marks.differs(fromLeader: nil) == 200)
    }

    @Test func reportsAreReadAsTheyWereWritten() {
        let most = (0..<UInt64(ContentMarks.most)).map { ContentMark(place: $0, digest: .max - $0) }
        for marks in [[], [ContentMark(place: 1, digest: 2)], most] {
            let report = MarksReport(name: "ä", marks: marks)
            #expect(MarksReport(report.bytes) == report)
            #expect(NodeNews(NodeNews.marks(report).bytes) == .marks(report))
        }
        let more = MarksReport(name: "ana", marks: most + most)
        #expect(MarksReport(more.bytes)?.marks == most, "the newest")
    }

    @Test func whatIsMalformedIsNoReport() {
        let whole = MarksReport(name: "ä", marks: [ContentMark(place: 1, digest: 2)]).bytes
        for count in whole.indices { #expect(MarksReport(Array(whole.prefix(count))) == nil) }
        #expect(MarksReport([9] + whole.dropFirst()) == nil)
        #expect(MarksReport([255] + Array(repeating: 0x61, count: 5_000)) == nil)
        let most = UInt8(Leadership.mostNameBytes)
        let name = Array(repeating: UInt8(0x6E), count: Int(most) + 1)
        #expect(MarksReport([0, 0, most + 1] + name) == nil && MarksReport([0, 0, 0]) == nil)
        #expect(MarksReport([0, 0, most] + name.dropLast()) != nil)
    }
}
