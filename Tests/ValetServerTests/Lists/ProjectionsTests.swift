import Testing
import ValetModel

@testable import ValetServer

/// Page names hold the number of a projection, and clients keep pages.
@Suite struct ProjectionsTests {
    @Test func aNumberIsNeverGivenTwice() {
        var (projections, left) = (Projections(), Int.max)
        var given: [UInt16: [Int]] = [:]
        for round in 0..<3 {
            for column in 0..<2 * Limits.projectionsPerList {
                guard let number = projections.number(of: [column], left: &left) else {
                    Issue.record("round \(round), column \(column)")
                    return
                }
                #expect(given.updateValue([column], forKey: number) ?? [column] == [column])
                #expect(number != Projection.wholeRowNumber)
            }
        }
        #expect(given.count == 6 * Limits.projectionsPerList, "most were forgotten in between")
    }

    @Test func theProjectionAskedForLastKeepsItsNumber() {
        var (projections, left) = (Projections(), Int.max)
        let number = projections.number(of: [1, 2], left: &left)
        for column in 0..<10 * Limits.projectionsPerList {
            _ = projections.number(of: [column], left: &left)
            #expect(projections.number(of: [1, 2], left: &left) == number)
        }
    }

    @Test func numbersEnd() {
        var (projections, left) = (Projections(), Int.max)
        for column in 1...Int(UInt16.max) {
            #expect(projections.number(of: [column], left: &left) == UInt16(column))
        }
        #expect(projections.number(of: [0], left: &left) == nil)
        #expect(projections.number(of: [Int(UInt16.max)], left: &left) == .max, "known ones stay")
    }

    @Test func nobodyGetsMoreNewNumbersThanItMay() {
        var (projections, greedy, modest) = (Projections(), 2, 1)
        #expect(projections.number(of: [1], left: &greedy) == 1)
        #expect(projections.number(of: [2], left: &greedy) == 2)
        #expect(projections.number(of: [3], left: &greedy) == nil)
        #expect(projections.number(of: [1], left: &greedy) == 1, "known ones cost nothing")
        #expect(projections.number(of: [3], left: &modest) == 3)
        #expect((greedy, modest) == (0, 0))
    }
}
