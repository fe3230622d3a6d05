import Foundation
import Testing
import ValetClient
import ValetCommands
import ValetModel

@testable import ValetLoad

private func report(
    _ scenario: Scenario, seconds: Double = 1, _ totals: Figures.Totals
) -> RunReport {
    RunReport(plan: RunPlan(scenario: scenario), list: "cars", seconds: seconds, totals: totals)
}

private func report(mismatch: String? = nil, memory: ServerMemory? = nil) -> RunReport {
    let figures = Figures()
    figures.add(.window, .milliseconds(9))
    figures.beginMeasuring()
    for _ in 0..<3 {
        for time in 1...100 { figures.add(.window, .microseconds(time * 10)) }
        figures.add(.index, .microseconds(50))
        var traffic = PageTraffic()
        (traffic.bytes, traffic.pages, traffic.rows) = (2_500, 2, 100)
        figures.add(traffic)
        figures.turn(memory: memory)
    }
    figures.addChecked([], at: 4)
    figures.update { $0.searchesCounted = 20 }
    figures.note("a note")
    if let mismatch { figures.add(Mismatch(.cells, mismatch), at: 4) }
    var report = RunReport(
        plan: RunPlan(scenario: .mixed, clients: 7, seed: 3), list: "cars", seconds: 3,
        totals: figures.summary())
    report.memory = RunReport.Memory(before: memory, connected: memory, end: memory, stations: 7)
    if memory != nil {
        report.statistics = ServerStatistics(entries: [.init(name: "views", value: 8)])
    }
    return report
}

@Test func theJSONHasTheShapeThatScriptsRelyOn() throws {
    let memory = ServerMemory(resident: 5_000_000, peak: 6_000_000)
    let json = try JSON.line(of: report(mismatch: "wrong", memory: memory))
    #expect(
        json == """
            {"bytesPerRow":25,"checked":{"rows":0,"searches":20,"windows":1},"clients":7,\
            "errors":0,"latencyMicroseconds":\
            {"max":1000,"p50":500.223,"p90":900.095,"p99":990.207,"p999":1000},"mismatches":1,\
            "perSecond":101,"requests":303,"scenario":"mixed","seconds":3,"server":\
            {"bytesPerStation":null,"peakResidentBytes":6000000,"residentBytes":5000000,\
            "residentBytesPerHour":null,"views":8}}
            """)
}

@Test func aRunWithoutRequestsIsStillJSON() throws {
    let empty = report(.idle, seconds: 0, Figures.Totals())
    let json = try JSON.line(of: empty)
    #expect(json.contains("\"p50\":null"))
    #expect(json.contains("\"residentBytes\":null"))
    #expect(json.contains("\"bytesPerRow\":null"))
    #expect(empty.table().contains("0 requests/s"))
}

@Test func theTableSaysWhatWentWrong() {
    let table = report(mismatch: "row 5 is old").table()
    let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "mixed of cars, 7 clients, closed loop, 3 s, seed 3")
    #expect(table.contains("mismatch  cells: row 5 is old, station 4"))
    #expect(table.contains("note: a note"))
    #expect(table.contains("1 windows, 0 rows and 20 searches against the file"))
    #expect(lines.contains { $0.hasPrefix("all") && $0.contains("303") })
    #expect(
        lines.contains { $0.hasPrefix("index") && $0.contains("50.0 µs") || $0.contains("50 µs") })
    #expect(report().status == .ok)
    #expect(report(mismatch: "x").status == .failed)
}

@Test func onlyTheFirstTenMismatchesAreShown() {
    let figures = Figures()
    for number in 0..<14 { figures.add(Mismatch(.order, "number \(number)"), at: 0) }
    let report = report(.jump, figures.summary())
    #expect(report.totals.mismatches == 14)
    #expect(report.table().contains("number 9"))
    #expect(!report.table().contains("number 10"))
    #expect(report.table().contains("… 4 more"))
}

@Test func memoryThatGrowsHasASlope() throws {
    let figures = Figures()
    figures.beginMeasuring()
    for second in 0..<100 {
        figures.turn(memory: ServerMemory(resident: 1_000_000 + second * 1_000, peak: 0))
    }
    let report = report(.soak, seconds: 100, figures.summary())
    let slope = try #require(report.residentBytesPerHour)
    #expect(abs(slope - 3_600_000) < 1)
}

@Test func aServersTextCannotSteerTheTerminal() throws {
    let report = report(mismatch: "a\u{1B}[2J\nb\u{9B}1m\u{202E}")
    let isSteering = { (scalar: Unicode.Scalar) in
        scalar.value < 0x20 && scalar != "\n" || (0x7F..<0xA0).contains(scalar.value)
            || scalar.value == 0x202E
    }
    #expect(!report.table().unicodeScalars.contains(where: isSteering))
    #expect(report.table().contains("mismatch  cells: a␛[2J␊b"))
    var named = report
    named.list = "\u{9B}1m"
    #expect(!named.table().unicodeScalars.contains(where: isSteering))
    #expect(try !JSON.line(of: ["\u{9B}1m\u{202E}"]).unicodeScalars.contains(where: isSteering))
}
