import Testing
import ValetModel

@testable import ValetLoad

private func commit(_ revision: UInt64, at microseconds: Int64) -> ValetLoad.Commit {
    Commit(
        number: 0, revision: revision, microseconds: microseconds, acknowledgement: .zero,
        sinceStart: .zero)
}

@Test func aCommitIsInAMirrorWhenThatIsWholeInItsRevisionOrALaterOne() throws {
    let wholes = [(1, 500), (3, 1_000), (7, 3_000)].map {
        PageMirror.Whole(revision: $0.0, microseconds: $0.1)
    }
    var latencies = Latencies()
    try latencies.record(
        [commit(2, at: 900), commit(3, at: 950), commit(4, at: 1_000)], in: wholes)
    #expect(latencies.count == 3)
    #expect(abs((latencies.percentile(0) ?? 0) - 50) < 1)
    #expect(abs((latencies.percentile(50) ?? 0) - 100) < 1)
    #expect(abs((latencies.percentile(100) ?? 0) - 2_000) < 2)
}

@Test func aCommitThatComesToNoMirrorIsAnError() {
    var latencies = Latencies()
    let error = #expect(throws: ValetError.self) {
        try latencies.record(
            [commit(8, at: 0)], in: [PageMirror.Whole(revision: 7, microseconds: 1)])
    }
    #expect(error?.message.contains("revision 8") == true)
}
