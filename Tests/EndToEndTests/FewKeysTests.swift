import Foundation
import TestSupport
import Testing

/// What people often want takes few keys.
@Suite(.runsPrograms) struct FewKeysTests {
    private let scratch = Scratch()

    /// - Parameters:
    ///   - list: a file in the test's folder, where the program runs.
    ///   - keys: names of keys, and words that are typed letter by letter.
    private func screen(
        _ list: String, pressing keys: [String], atMost limit: Int,
        at location: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let named: Set = ["enter", "tab"]
        let count = keys.reduce(0) { $0 + (named.contains($1) ? 1 : $1.count) }
        #expect(count <= limit, sourceLocation: location)
        let typed = keys.map { $0.replacing("'", with: "'\\''") }.joined(separator: ",")
        let done = try scratch.shell(
            "cd '\(scratch.path("."))' && "
                + "'\(Program.valet.path)' snapshot '\(list)' --size 100x30 --keys '\(typed)'")
        #expect(done.code == 0, "\(done.message)", sourceLocation: location)
        return done.lines
    }

    @Test func theManual911sOfSomeYearsAreExportedByYear() throws {
        var rows: [String] = []
        for year in 2003...2012 {
            for gear in ["Manual 6-spd", "Automatic (S8)"] {
                rows += ["Porsche,911 Turbo,\(year),\(gear)", "Porsche,Boxster,\(year),\(gear)"]
            }
        }
        _ = try scratch.write(
            "make,model,year,transmission\n" + rows.shuffled().joined(separator: "\n"),
            to: "cars.csv")
        let lines = try screen(
            "cars.csv",
            pressing: [
                "/", "911 manual", "enter", "f", "year 2005..2010", "enter", "3", ":",
                "export a.csv", "enter",
            ], atMost: 45)
        #expect(lines.last?.contains("Exported 6 rows") == true, "\(lines)")
        let exported = try String(contentsOfFile: scratch.path("a.csv"), encoding: .utf8)
        let expected = (2005...2010).map { "Porsche,911 Turbo,\($0),Manual 6-spd" }
        let found = exported.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        #expect(found == expected || found == expected.reversed())
    }

    @Test func citiesOfMoreThanAMillionStandByCountry() throws {
        let towns = (1...400).map { "Town \($0),\(["CH", "NG", "AU"][$0 % 3]),\(40_000 + $0)" }
        let cities = [
            "Aba,NG,1160000", "Lagos,NG,15388000", "Sydney,AU,4627345", "Odd,AU,1000000",
        ]
        _ = try scratch.write(
            "name,country,population\n" + (towns + cities).joined(separator: "\n"),
            to: "cities.csv")
        let lines = try screen(
            "cities.csv", pressing: ["f", "pop", "tab", ">1000000", "enter", "2"], atMost: 22)
        #expect(lines.first?.contains("3 of 404") == true, "\(lines)")
        let shown = ["── AU", "Sydney", "── NG", "Aba", "Lagos"]
        let places = shown.map { word in lines.firstIndex { $0.contains(word) } }
        #expect(places == places.compactMap { $0 }.sorted(), "\(lines)")
    }

    @Test func theLongestOfASectionStandFirst() throws {
        let tracks = (1...300).map { "Track \($0),\(["Rock", "Jazz", "Metal"][$0 % 3]),\($0)" }
        _ = try scratch.write(
            "name,genre,milliseconds\n" + tracks.joined(separator: "\n"), to: "tracks.csv")
        let lines = try screen(
            "tracks.csv", pressing: ["2", "'", "met", "enter", "c", "mil", "enter", "S"], atMost: 12
        )
        let header = try #require(lines.firstIndex { $0.contains("── Metal") })
        let longest = (0..<20).map { "Track \(299 - 3 * $0) " }
        for (line, name) in zip(lines[(header + 1)...], longest) {
            #expect(line.contains(name), "\(lines)")
        }
    }

    @Test func valuesThatOccurMoreThanOnceAreTwoKeysAway() throws {
        _ = try scratch.write(
            "name\n" + ["Wrathchild", "Sanctuary", "wrathchild", "Burn"].joined(separator: "\n"),
            to: "names.csv")
        let lines = try screen("names.csv", pressing: ["#", "d"], atMost: 6)
        #expect(lines.first?.contains("1 value more than once, 2 rows") == true, "\(lines)")
        #expect(!lines.contains { $0.contains("Burn") })
    }
}
