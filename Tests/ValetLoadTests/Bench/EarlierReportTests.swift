import Foundation
import Testing
import ValetCommands
import ValetModel

@testable import ValetLoad

private func report(_ measurements: [ValetLoad.Measurement], rows: Int = 1_000) -> BenchReport {
    BenchReport(rows: rows, seed: 7, system: "Test 1", processors: 2, measurements: measurements)
}

private func figure(
    _ id: String, _ value: Double?, _ unit: ValetLoad.FigureUnit = .microseconds
) -> ValetLoad.Measurement {
    Measurement(id: id, name: id, unit: unit, samples: 1, p50: value)
}

private func compare(_ now: BenchReport, with before: BenchReport) throws -> BenchReport {
    let scratch = try ScratchDirectory()
    let file = scratch.file("before.json")
    try JSON.line(of: before).write(toFile: file, atomically: true, encoding: .utf8)
    return try EarlierReport.read(file).compared(to: now, as: "before.json")
}

@Test func aReportTellsWhatHasChanged() throws {
    let before = report([
        figure("window.a", 100), figure("window.b", 100), figure("wire.c", 20, .bytesPerRow),
        figure("load.d", 100, .perSecond), figure("load.e", 100, .perSecond),
        figure("window.gone", 1), figure("window.unit", 5, .times), figure("window.none", nil),
    ])
    let now = report([
        figure("window.a", 112), figure("window.b", 160), figure("wire.c", 21, .bytesPerRow),
        figure("load.d", 120, .perSecond), figure("load.e", 70, .perSecond),
        figure("window.new", 1), figure("window.unit", 5), figure("window.none", 3),
    ])
    let compared = try compare(now, with: before)
    let changes = compared.measurements.map { $0.change.map { Int(($0.part * 100).rounded()) } }
    #expect(changes == [12, 60, 5, 20, -30, nil, nil, nil])
    #expect(compared.worse.map(\.id) == ["window.b", "wire.c", "load.e"])
    let table = compared.table()
    #expect(table.contains("change of p50 against before.json\n"))
    #expect(table.contains("! +60%"))
    #expect(table.contains("   +12%"))
    #expect(table.contains("! -30%"))
    #expect(
        table.hasSuffix("worse than before, by more than noise:\n  window.b\n  wire.c\n  load.e"))
    let object = try #require(
        JSONSerialization.jsonObject(with: Data(JSON.line(of: compared).utf8)) as? [String: Any])
    #expect(object["worse"] as? [String] == ["window.b", "wire.c", "load.e"])
    #expect(object["earlier"] as? String == "before.json")
}

@Test func aReportOfAnotherSizeIsSaidToBeOne() throws {
    let compared = try compare(report([]), with: report([], rows: 2_000))
    #expect(compared.earlier == "before.json, which is of 2,000 rows")
}

@Test(arguments: ["", "{", "[]", "{\"rows\": 3}", "{\"rows\": \"a\", \"measurements\": []}"])
func whatIsNoReportIsRefused(_ text: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.file("before.json")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let error = #expect(throws: ValetError.self) { try EarlierReport.read(file) }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("before.json") == true)
}
