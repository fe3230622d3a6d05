import Foundation
import Testing
import ValetCommands

@testable import ValetLoad

private func report() -> BenchReport {
    let window = Measurement(
        id: "window", name: "window", samples: 1_000, p50: 633.25, p99: 1_120,
        target: .init(p50: 1_000, p99: 5_000))
    let search = Measurement(
        id: "search", name: "search", samples: 60, p50: 11_200, p99: 61_000,
        target: .each(60_000))
    let memory = Measurement(
        id: "memory", name: "memory per row", unit: .bytesPerRow, samples: 1, p50: 39.6,
        target: .figure(200))
    let sorted = Measurement(
        id: "sqlite.sorted", name: "SQLite", samples: 3, p50: 1_330_000, p99: 1_380_000
    ).compared(with: window)
    let absent = Measurement(
        id: "absent", name: "absent", samples: 0, target: .figure(1), note: "not measured")
    return BenchReport(
        rows: 1_000_000, seed: 7, system: "Test 1", processors: 2, loadBefore: 0.5,
        measurements: [window, search, memory, sorted, absent])
}

@Test func aTableHasALineForEachMeasurement() {
    let expected = """
        1,000,000 rows, seed 7, 2 processors, load 0.50 before, Test 1

                              p50      p99      n  target        met
          absent                –               0  ≤ 1 µs        NO
              not measured

        One client: windows of 50 rows, and look-ups
          window           633 µs  1.12 ms  1,000  ≤ 1 ms, 5 ms  yes

        Searching, until the exact count and the first 50 rows are here
          search          11.2 ms    61 ms     60  ≤ 60 ms       NO

        Bytes per row
          memory per row   39.6 B               1  ≤ 200 B       yes

        SQLite alone, on the same file
          SQLite           1.33 s   1.38 s      3
              2,100 × window

        2 of 4 targets missed:
          search
          absent
        """
    #expect(report().table() == expected)
}

@Test func aRateIsMetFromItsTargetUp() {
    var rate = Measurement(
        id: "load", name: "windows", unit: .perSecond, samples: 1, p50: 60_000,
        target: .figure(70_000))
    #expect(rate.isMet == false)
    rate.target = .figure(60_000)
    #expect(rate.isMet == true)
}

@Test func metTargetsAreCounted() {
    var report = report()
    report.measurements.removeAll { $0.isMet == false }
    #expect(report.table().hasSuffix("\n\nall 2 targets met"))
}

@Test(
    arguments: [
        (0.0, "0 µs"), (0.000_4, "0.40 ns"), (0.034_26, "34.3 ns"), (0.999, "999 ns"),
        (9.994, "9.99 µs"), (9.996, "10 µs"), (44.84, "44.8 µs"),
        (99.96, "100 µs"), (999.4, "999 µs"), (1_000, "1 ms"), (1_050, "1.05 ms"),
        (61_000, "61 ms"), (1_500_000, "1.50 s"), (3_600_000_000, "3,600 s"),
    ])
func timesHaveThreeDigits(_ microseconds: Double, _ text: String) {
    #expect(FigureUnit.microseconds.text(microseconds) == text)
}

@Test(
    arguments: [
        (0.0, "0 B"), (1_412, "1,412 B"), (10_240, "10 KiB"), (262_144, "256 KiB"),
        (1_048_575, "1,024 KiB"), (70_500_000, "67.2 MiB"),
    ])
func bytesHaveThreeDigits(_ bytes: Double, _ text: String) {
    #expect(FigureUnit.bytes.text(bytes) == text)
}

@Test func jsonIsOneObjectOnOneLine() throws {
    let text = try JSON.line(of: report())
    #expect(!text.contains("\n"))
    let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["rows"] as? Int == 1_000_000)
    #expect(object["missed"] as? [String] == ["search", "absent"])
    let measurements = try #require(object["measurements"] as? [[String: Any]])
    #expect(measurements.map { $0["id"] as? String } == report().measurements.map(\.id))
    let window = measurements[0]
    #expect(window["unit"] as? String == "microseconds")
    #expect(window["p50"] as? Double == 633.25)
    #expect(window["met"] as? Bool == true)
    #expect((window["target"] as? [String: Double]) == ["p50": 1_000, "p99": 5_000])
    #expect((measurements[3]["comparison"] as? [String: Any])?["id"] as? String == "window")
    #expect(measurements[3]["met"] == nil)
    #expect(measurements[4]["p50"] is NSNull)
}

@Test func targetsAreForAMillionRowsAndForTen() {
    let (million, more) = (BenchTargets(rows: 1_000_000), BenchTargets(rows: 1_000_001))
    #expect(million.firstOpen == .each(400_000))
    #expect(more.firstOpen == .each(4_000_000))
    #expect(BenchTargets(rows: 10_000_000).firstOpen == .each(4_000_000))
    #expect(BenchTargets(rows: 10_000_001).firstOpen == nil)
    #expect(million.cachedWindow == more.cachedWindow)
    #expect(million.residentBytesPerRow == .figure(80))
    #expect(more.residentBytesPerRow == .figure(65))
    // Of few rows, a server's own memory is most.
    #expect(BenchTargets(rows: 999_999).residentBytesPerRow == nil)
    #expect(BenchTargets(rows: 999_999).search == million.search)
    #expect(BenchTargets.wireBytesPerRow(list: "names") == nil)
}
