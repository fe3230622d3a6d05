import Foundation
import TestSupport
import Testing

/// What cars show beyond a glance, and the gallery for several stations at once.
@Suite(.runsPrograms) struct GalleryCarsTests {
    private let scratch = Scratch()

    private func lines(_ keys: String) throws -> [String] {
        try scratch.valet(
            ["snapshot", "demo:", "--list", "cars", "--size", "80x60", "--keys", keys]).text.split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
    }

    private func parked(_ line: String) -> String? {
        line.firstMatch(of: /parked (\d{4}-\d\d-\d\d \d\d:\d\d)/).map { String($0.1) }
    }

    /// As the gallery shows it, in UTC.
    private var minute: String {
        String(Date.now.ISO8601Format().prefix(16)).replacing("T", with: " ")
    }

    @Test func aCarThatIsAddedStandsOnTopOfItsHourAndWasParkedNow() throws {
        let before = minute
        // With the line above it on the screen, whatever hour it is.
        let screen = try lines("+,zz,^S,up")
        let after = minute
        let row = try #require(screen.firstIndex { $0.contains(" – zz Unknown ") })
        let time = try #require(parked(screen[row + 1]), "\(screen.joined(separator: "\n"))")
        #expect((before...after).contains(time))
        #expect(screen[row - 1].hasPrefix("── \(time.dropFirst(11).prefix(2)):00 ─"))
        let rest = screen[(row + 1)...].prefix { !$0.hasPrefix("──") }.compactMap(parked)
        #expect(rest.count > 10 && rest == rest.sorted(by: >), "newest first")
    }

    private static let hours = (0..<24).reversed().map { ($0 < 10 ? "0" : "") + "\($0):00" }
    private static let makes = "ABCDFHJKLMNOPRSTUVW".map { String($0) }
    private static let models = "#ABCDEFGHIJKLMNOPQRSTUVWXYZЖ".map { String($0) }

    @Test(arguments: [("g", hours + ["–"]), ("2,g", makes), ("3,g", models)])
    func theIndexHasTheTitlesOfTheSections(keys: String, titles: [String]) throws {
        let screen = try lines(keys)
        let index = screen[3...].prefix(titles.count)
            .map { $0.split(separator: " ").last.map(String.init) }
        #expect(index == titles && screen[2].hasSuffix("⌕"))
    }

    @Test func yearsGoDownAndOwnersGoByTheirLastNames() throws {
        let screen = try lines("4,:,9,9,%,enter")
        let index = screen[3...].compactMap { line in
            line.firstMatch(of: #/  (\d{4})$/#).flatMap { Int($0.1) }
        }
        #expect(index.count > 20 && index.first == 2026 && index == index.sorted(by: >))
        let headers = screen.compactMap { line in
            line.firstMatch(of: #/^── (\d{4}) ─/#).flatMap { Int($0.1) }
        }
        #expect(headers.count > 2 && headers == headers.sorted(by: >), "\(headers)")
        let owners = try lines("5,g")
        let cars = owners[3...].filter { $0.contains(" parked ") }
        #expect(owners[2].hasPrefix("── Åberg ─"))
        #expect(cars.count > 1 && cars.allSatisfy { $0.contains(" Åberg") }, "\(owners)")
    }

    @Test func allDwarvesAreBoldButTheFirst() throws {
        let picture = try scratch.valet(
            ["snapshot", "demo:", "--list", "dwarves subtitle", "--keys", "j", "--svg"]).lines
        func isBold(_ name: String) -> Bool? {
            picture.first { $0.contains(name) }?.contains(" bold\"")
        }
        #expect(isBold("Doc") == false && isBold("Grumpy") == true)
        #expect(isBold("Dori") == true)
    }

    @Test(.needsTmux) func stationsJoinTheGalleryAndSeeEachOthersChanges() throws {
        let server = try Daemon(.valet, ["demo", "--listen", "127.0.0.1:0"], in: scratch)
        try scratch.valet(["lists", server.address], expecting: 0, shows: "crayons\tCrayons\t120")
        let valet = "'\(Program.valet.path)' '\(server.address)' --list alphabet --as"
        let ana = try TerminalWindow("\(valet) ana", in: scratch)
        let bo = try TerminalWindow("\(valet) bo", in: scratch)
        try ana.wait(for: "▌    1  Alpha", "● live", "  bo")
        try bo.wait(for: "▌    1  Alpha", "● live", "  ana")
        try ana.press("Down", "e", "Tab", "C-u")
        try bo.wait(for: "2  Bravo", "●ana editing")
        try ana.press(.text("Berta"), "C-s", shows: "▌    2  Berta", "Saved “Berta”")
        try bo.wait(for: "     2  Berta", "▌    1  Alpha")
        try bo.press("x")
        try ana.wait(for: "1  Alpha", "●bo ✓")
        try ana.press("u")
        try bo.wait(for: "     2  Bravo", "✓")
        #expect(try server.end() == 0)
    }
}
