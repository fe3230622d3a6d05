import Testing
import ValetModel

@testable import ValetTerminal

struct ServerOverviewTests {
    private typealias Name = ServerStatistics.Name

    private func statistics(_ values: [Name: Int]) -> ServerStatistics {
        var statistics = ServerStatistics()
        for name in Name.allCases { statistics.add(name, values[name] ?? 0) }
        return statistics
    }

    private func lines(_ overview: ServerOverview, columns: Int = 80, rows: Int = 34) -> [String] {
        overview.screen(size: Size(columns: columns, rows: rows)).text
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func line(_ label: String, _ overview: ServerOverview, columns: Int = 80) throws
        -> String
    {
        let line = lines(overview, columns: columns).first { $0.dropFirst(11).hasPrefix(label) }
        return try #require(line)
    }

    @Test func whatRisesIsShownByTheSecond() throws {
        var overview = ServerOverview(title: "valet://host", isASCII: false)
        overview.take(statistics([.requestsAnswered: 1_000, .uptimeSeconds: 180]), at: 0)
        func shown(_ value: String, _ line: String) -> String {
            let label = " Requests  answered"
            let blanks = String(repeating: " ", count: 54 - label.count - value.count)
            return label + blanks + value + line
        }
        #expect(try line("answered", overview) == shown("–", ""))
        overview.take(statistics([.requestsAnswered: 4_000, .uptimeSeconds: 182]), at: 2_000)
        overview.take(statistics([.requestsAnswered: 4_001, .uptimeSeconds: 183]), at: 3_000)
        let blanks = String(repeating: " ", count: 23)
        #expect(try line("answered", overview) == shown("1.0 a second", blanks + "█▁"))
        #expect(lines(overview)[0] == " valet://host   up 3 min")
    }

    @Test func numbersHaveTheirUnitsAndLimits() throws {
        var overview = ServerOverview(title: "valet://host", isASCII: false)
        overview.take(
            statistics([
                .connections: 512, .connectionLimit: 10_000, .memoryBytes: 3 << 29,
                .memoryBudgetBytes: 6 << 30, .slowWindowMicroseconds: 1_260, .logBytes: 900,
                .lastBackupSeconds: 3_000,
            ]), at: 0)
        #expect(try line("connected", overview).contains(" 512 of 10,000 "))
        #expect(try line("lists", overview).contains(" 1.5 GiB of 6.0 GiB "))
        #expect(try line("99 in 100", overview).contains(" 1.3 ms "))
        #expect(try line("log of SQLite", overview).contains(" 900 B "))
        #expect(try line("last backup", overview).contains(" 50 min ago "))
    }

    @Test func aServerThatIsStartedAgainBeginsAnew() throws {
        var overview = ServerOverview(title: "valet://host", isASCII: true)
        overview.take(statistics([.commits: 90, .uptimeSeconds: 100]), at: 0)
        overview.trouble = "the connection is lost; trying again"
        #expect(lines(overview).last?.contains("the connection is lost") == true)
        overview.take(statistics([.commits: 4, .uptimeSeconds: 1]), at: 9_000)
        #expect(lines(overview).last?.contains("the connection is lost") == false)
        #expect(try line("transactions", overview).hasSuffix(" -"))
        overview.take(statistics([.commits: 10, .uptimeSeconds: 2]), at: 10_000)
        #expect(try line("transactions", overview).contains(" 6.0 a second "))
    }

    @Test func whatAServerDoesNotTellIsNoZero() throws {
        var overview = ServerOverview(title: "valet://host", isASCII: false)
        overview.take(ServerStatistics(), at: 0)
        overview.take(ServerStatistics(), at: 0)
        let figures = lines(overview).dropFirst().dropLast().filter { !$0.isEmpty }
        #expect(figures.count == 21)
        for line in figures { #expect(line.hasSuffix(" –")) }
    }

    @Test func numbersFromAStrangeServerDoNotTrap() {
        for value in [0, 1, Limits.largestCount, Int.max] {
            var overview = ServerOverview(title: "\u{1B}[2Jx", isASCII: false)
            let all = Dictionary(uniqueKeysWithValues: Name.allCases.map { ($0, value) })
            overview.take(statistics([:]), at: 0)
            overview.take(statistics(all), at: 1)
            for (columns, rows) in [(1, 1), (5, 3), (54, 24), (80, 24), (1_024, 1_024)] {
                #expect(lines(overview, columns: columns, rows: rows).count == rows)
            }
        }
    }

    @Test func allOfItFitsAnUsualTerminal() {
        var overview = ServerOverview(title: "valet://host", isASCII: false)
        overview.isPaused = true
        overview.take(statistics([.clusterLag: 7]), at: 0)
        let lines = lines(overview, rows: 24)
        #expect(lines.contains { $0.dropFirst(11).hasPrefix("process") })
        #expect(lines.contains { $0.hasPrefix(" Cluster   places behind") && $0.contains(" 7 ") })
        #expect(lines.last?.hasPrefix(" paused") == true)
        #expect(lines.last?.hasSuffix("space goes on   q quits") == true)
    }
}
