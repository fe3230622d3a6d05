import Testing

@testable import ValetCommands

@Test(
    arguments: [
        (0..<10, 0, nil, 0..<10), (0..<10, 3, 4, 3..<7), (0..<10, 8, 4, 8..<10),
        (0..<10, 10, 4, 10..<10), (0..<10, 11, 4, 10..<10), (0..<10, .max, .max, 10..<10),
        (0..<10, 0, .max, 0..<10), (0..<10, 3, 0, 3..<3), (0..<0, 0, nil, 0..<0),
        (0..<0, 5, 5, 0..<0),
        // In a section.
        (100..<110, 0, nil, 100..<110), (100..<110, 3, 4, 103..<107), (100..<110, 9, 4, 109..<110),
        (100..<110, 50, 4, 110..<110), (100..<100, 0, 1, 100..<100),
    ] as [(Range<Int>, Int, Int?, Range<Int>)])
func aWindowIsCutAndNotShifted(bounds: Range<Int>, at: Int, count: Int?, range: Range<Int>) {
    #expect(RowsCommand.range(of: bounds, at: at, count: count) == range)
}
