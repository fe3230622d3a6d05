import Testing

@testable import ValetStore

/// What a writer knows of other programs' commits.
@Suite struct OthersCommitsTests {
    @Test func eachIsReportedOnce() {
        var others = OthersCommits(newest: 3, since: 3, left: nil, isNoted: true)
        #expect(others.unreported == nil)
        others.saw(5)
        #expect(others.unreported?.before == 3 && others.unreported?.revision == 5)
        others.reported(5, with: 6)
        #expect(others.unreported == nil)
        others.reported(nil, with: 7)
        others.saw(9)
        #expect(others.unreported?.before == 7 && others.unreported?.revision == 9)
    }

    /// What came between the opening and the first command counts.
    @Test func commitsSinceTheOpeningAreReported() {
        let others = OthersCommits(newest: 4, since: 3, left: nil, isNoted: true)
        #expect(others.unreported?.before == 3 && others.unreported?.revision == 4)
    }

    /// A file that is as it was left has the rows of before; else any may have changed.
    @Test func theOpeningMayHaveChangedRows() {
        var others = OthersCommits(newest: 8, since: 8, left: 2, isNoted: true)
        #expect(others.changedRows == 2)
        #expect(OthersCommits(newest: 8, since: 8, left: nil, isNoted: true).changedRows == 8)
        // A revision of an earlier time may be forged.
        #expect(OthersCommits(newest: 8, since: 8, left: 99, isNoted: true).changedRows == 8)
        others.saw(9)
        #expect(others.changedRows == 9)
    }

    @Test func rowsAreKnownAgainOnceTheTablesAreReported() {
        var others = OthersCommits(newest: 1, since: 1, left: nil, isNoted: true)
        others.changedTables()
        #expect(!others.isNoted)
        others.reported(nil, with: 2)
        #expect(others.isNoted)
    }
}
