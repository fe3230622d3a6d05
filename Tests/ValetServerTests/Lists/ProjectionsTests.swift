import Testing
import ValetModel

@testable import ValetServer

/// Page names hold the number of a projection, and clients keep pages.
@Suite struct ProjectionsTests {
    @Test func aNumberIsNeverGivenTwice() {
        var projections = Projections()
        var given: [UInt16: [Int]] = [:]
        for round in 0..<3 {
            for column in 0..<2 * Limits.projectionsPerList {
                guard let number = projections.number(of: [column]) else {
                    Issue.record("round \(round), column \(column)")
                    return
                }
                #expect(given.updateValue([column], forKey: number) ?? [column] == [column])
                #expect(number != Projection.wholeRowNumber)
            }
        }
        #expect(given.count == 6 * Limits.projectionsPerList, "most were forgotten in between")
    }

    @Test func whatWasAskedForLastKeepsItsNumber() {
        var projections = Projections()
        let number = projections.number(of: [1, 2])
        for column in 0..<10 * Limits.projectionsPerList {
            _ = projections.number(of: [column])
            #expect(projections.number(of: [1, 2]) == number)
        }
    }

    @Test func numbersEnd() {
        var projections = Projections()
        for column in 1...Int(UInt16.max) {
            #expect(projections.number(of: [column]) == UInt16(column))
        }
        #expect(projections.number(of: [0]) == nil)
        #expect(projections.number(of: [Int(UInt16.max)]) == .max, "known ones stay")
    }
}
