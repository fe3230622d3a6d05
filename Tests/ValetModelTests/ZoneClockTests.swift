import Foundation
import Testing

@testable import ValetModel

struct ZoneClockTests {
    private static let names = [
        "Europe/Zurich", "America/St_Johns", "Africa/Casablanca", "Asia/Kolkata", "Pacific/Apia",
        "Europe/Vienna", "Australia/Lord_Howe", "America/Sao_Paulo", "Etc/GMT+12", "UTC",
    ]

    private static func clock(_ name: String) throws -> ZoneClock {
        try #require(ZoneClock(named: name))
    }

    private static func second(_ text: String) throws -> Int64 {
        try #require(ISO8601Time(text)?.secondsSince1970)
    }

    @Test(arguments: names)
    func aClockShowsWhatFoundationSays(name: String) throws {
        let (clock, zone) = (try Self.clock(name), try #require(TimeZone(identifier: name)))
        var random = SeededNumbers(seed: 20_260_329)
        func ahead(_ second: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        }
        for _ in 0..<20_000 {
            // Foundation has its own zones: in the past, some differ from the system's.
            let second = Int64.random(in: 0..<250_000_000_000, using: &random)
            let wall = clock.wall(second: second)
            #expect(wall == second + ahead(second), "\(second)")
            // The same moment again, or an earlier one that the clock shows alike.
            let again = clock.second(wall: wall)
            #expect(
                again == second || again < second && clock.wall(second: again) == wall,
                "\(second)")
            #expect(clock.offsets.contains(wall - second))
        }
        var date = Date(timeIntervalSince1970: 0)
        while let next = zone.nextDaylightSavingTimeTransition(after: date),
            next.timeIntervalSince1970 < 5_000_000_000
        {
            let second = Int64(next.timeIntervalSince1970)
            for near in second - 1...second + 1 {
                #expect(clock.wall(second: near) == near + ahead(near), "\(near)")
            }
            date = next
        }
    }

    /// `date` reads the system's zones.
    @Test(
        arguments: names + [
            "Europe/Amsterdam", "Europe/Stockholm", "Africa/Algiers", "Asia/Tehran",
            "America/Bogota",
            "Antarctica/Troll", "Europe/Dublin", "Asia/Gaza", "America/Godthab",
        ])
    func aClockShowsWhatTheSystemSays(name: String) throws {
        let clock = try Self.clock(name)
        var random = SeededNumbers(seed: 20_260_330)
        let seconds = (0..<2_000).map { place in
            let last: Int64 = place % 2 == 0 ? 4_000_000_000 : 16_000_000_000
            return Int64.random(in: -5_000_000_000..<last, using: &random)
        }
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/date")
        program.arguments = ["-f", "-", "+%::z"]
        program.environment = ["TZ": name]
        let (input, output) = (Pipe(), Pipe())
        (program.standardInput, program.standardOutput) = (input, output)
        try program.run()
        let text = seconds.map { "@\($0)\n" }.joined()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let said = try #require(try output.fileHandleForReading.readToEnd())
        program.waitUntilExit()
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == seconds.count)
        for (second, line) in zip(seconds, lines) {
            let ahead = clock.wall(second: second) - second
            let magnitude = abs(ahead)
            let parts = [magnitude / 3_600, magnitude / 60 % 60, magnitude % 60].map {
                $0 < 10 ? "0\($0)" : "\($0)"
            }
            let shown = (ahead < 0 ? "-" : "+") + parts.joined(separator: ":")
            // `date` writes a minus where nobody keeps a time.
            let wanted = line == "-00:00:00" ? "+00:00:00" : line
            #expect(shown == wanted, "\(second)")
        }
    }

    @Test func aFileThatIsNoneOfAZoneIsNone() throws {
        #expect(ZoneFile([]) == nil && ZoneFile(Array("TZif2".utf8)) == nil)
        let path = "/usr/share/zoneinfo/Europe/Zurich"
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        #expect(ZoneFile(bytes) != nil)
        // Whatever is cut off or spoilt is refused or read, without a trap.
        for count in bytes.indices { _ = ZoneFile(Array(bytes[..<count])) }
        var random = SeededNumbers(seed: 7)
        for _ in 0..<5_000 {
            var spoilt = bytes
            for _ in 0..<3 { spoilt[random.below(spoilt.count)] = UInt8(random.below(256)) }
            _ = ZoneFile(spoilt)
        }
    }

    /// `02:30` does not exist on the first day, and exists twice on the other.
    @Test(arguments: [
        ("2026-03-29 01:59:59", "2026-03-29 00:59:59"), ("2026-03-29 02:00", "2026-03-29 01:00"),
        ("2026-03-29 02:30", "2026-03-29 01:30"), ("2026-03-29 03:00", "2026-03-29 01:00"),
        ("2026-10-25 01:59:59", "2026-10-24 23:59:59"), ("2026-10-25 02:00", "2026-10-25 00:00"),
        ("2026-10-25 02:59:59", "2026-10-25 00:59:59"), ("2026-10-25 03:00", "2026-10-25 02:00"),
        ("2026-01-01 00:30", "2025-12-31 23:30"), ("2026-07-01 00:30", "2026-06-30 22:30"),
    ])
    func aWallTimeIsAMomentOnEveryDay(wall: String, stored: String) throws {
        let clock = try Self.clock("Europe/Zurich")
        #expect(try clock.second(wall: Self.second(wall)) == Self.second(stored))
    }

    /// Samoa had no 30 December in 2011.
    @Test func aDayThatAZoneSkipsIsTheNextOne() throws {
        let clock = try Self.clock("Pacific/Apia")
        let second = try clock.second(wall: Self.second("2011-12-30 12:00"))
        #expect(try clock.wall(second: second) == Self.second("2011-12-31 12:00"))
    }

    @Test func theEndsOfAllSecondsAreNoTrap() throws {
        let clock = try Self.clock("Europe/Zurich")
        #expect(clock.wall(second: .max) == .max && clock.second(wall: .min) < 0)
        #expect(clock.wall(second: .min) > .min && clock.second(wall: .max) > 0)
    }

    @Test(arguments: [
        "", "/", "Zurich", "europe/zurich", "Europe/Zurch", "GMT+3", "+01:00", "CET", "../UTC",
        "Europe/Zurich\u{0}", "Europe/Zürich",
    ])
    func aNameThatIsNoZoneIsNone(name: String) {
        #expect(ZoneClock(named: name) == nil)
    }

    @Test func zonesAreTheSameByName() throws {
        #expect(try Self.clock("Europe/Zurich") == Self.clock("Europe/Zurich"))
        #expect(try Self.clock("Europe/Zurich") != Self.clock("Europe/Vienna"))
    }

    // MARK: Texts

    @Test(arguments: [
        ("2026-06-30 22:30", "2026-07-01 00:30"),
        ("2026-06-30T22:30:15.250Z", "2026-07-01T00:30:15.250"),
        ("2026-07-01 00:30:00+02:00", "2026-07-01 00:30:00"),
        ("2026-06-30 17:30-0500", "2026-07-01 00:30"),
        ("2025-12-31 23:59:60", "2026-01-01 00:59:59"),
    ])
    func aStoredTimeIsShownInTheZone(stored: String, shown: String) throws {
        let clock = try Self.clock("Europe/Zurich")
        #expect(clock.shown(stored) == shown)
        let time = try #require(CivilTime(.text(stored), in: clock))
        #expect(time.isoText == shown.prefix(16).replacing("T", with: " "))
    }

    @Test func aDateWithoutATimeIsNotShifted() throws {
        let clock = try Self.clock("Pacific/Apia")
        #expect(clock.shown("2026-06-30") == nil)
        #expect(clock.stored(typed: "2026-06-30", like: nil) == "2026-06-30")
        #expect(
            CivilTime(.text("2026-06-30"), in: clock).map { CivilTime.isoDay($0.days) }
                == "2026-06-30")
    }

    @Test(
        arguments: [
            ("2026-07-01 00:30", nil, "2026-06-30 22:30"),
            ("2026-07-01T00:30:05.5", "2026-06-30 22:30", "2026-06-30T22:30:05.5"),
            ("2026-07-01 00:30", "2026-06-30 22:30:00+01:00", "2026-06-30 22:30Z"),
            ("2026-07-01 00:30Z", nil, "2026-07-01 00:30Z"),
            ("2026-07-01 00:30-03", nil, "2026-07-01 00:30-03"),
            ("2026-02-30 00:30", nil, nil), ("0000-01-01 00:00", nil, nil), ("soon", nil, nil),
        ] as [(String, String?, String?)])
    func aTypedTimeIsStoredInUTC(typed: String, example: String?, stored: String?) throws {
        let clock = try Self.clock("Europe/Zurich")
        #expect(clock.stored(typed: typed, like: example.map(Cell.text)) == stored)
    }

    @Test(arguments: names)
    func aShownMomentIsStoredAgainAsTheSame(name: String) throws {
        let clock = try Self.clock(name)
        var random = SeededNumbers(seed: 5)
        for _ in 0..<2_000 {
            // Since 1980 no zone differs from UTC by a part of a minute.
            let second = Int64.random(in: 315_532_800..<4_102_444_800, using: &random)
            let stored = CivilTime(secondsSince1970: second).isoText
            let shown = try #require(clock.shown(stored))
            let again = try #require(clock.stored(typed: shown, like: .text(stored)))
            #expect(again == stored || again < stored && clock.shown(again) == shown)
        }
    }
}
