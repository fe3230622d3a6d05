import Foundation
import TestSupport
import Testing

/// A list whose catalog names a time zone.
@Suite(.runsPrograms) struct TimeZoneTests {
    private let scratch = Scratch()

    private static let catalog = """
        lists:
          - name: cars
            timeZone: Europe/Zurich
            cell: {style: value1, title: "{make}", detail: "{parked}"}
            groupings:
              - {name: Hour, column: parked, section: hourOfDay, order: [make]}
              - {name: Day, column: parked, section: day, order: [make]}
        """

    private static let cars = """
        make,parked
        Fiat,2026-03-29 00:30:00
        Opel,2026-03-29 01:30:00
        Saab,2026-06-30 22:15:00
        Audi,2026-06-30T22:15:00+02:00
        Tata,2026-07-01
        """

    private func cars() throws -> [String] {
        let database = try scratch.database(table: "cars", csv: Self.cars + "\n")
        return [database, "--catalog", try scratch.write(Self.catalog, to: "valet.yaml")]
    }

    private func lines(_ arguments: [String]) throws -> [String] {
        try scratch.valet(arguments, expecting: 0).lines
    }

    @Test func sectionsAreOfTheZoneAndRowsAreAsStored() throws {
        let target = try cars()
        func sections(_ grouping: String) throws -> [String] {
            let done = try scratch.valet(
                ["sections"] + target + ["--group", grouping, "--format", "jsonl"])
            return try done.objects.map { "\($0["title"] ?? "") \($0["count"] ?? "")" }
        }
        #expect(try sections("Hour") == ["00:00 2", "01:00 1", "03:00 1", "22:00 1"])
        #expect(try sections("Day") == ["2026-03-29 2", "2026-06-30 1", "2026-07-01 2"])
        let rows = try lines(
            ["rows"] + target + ["--group", "Day", "--section", "2026-07-01", "--format", "csv"])
        #expect(rows.contains { $0.hasSuffix("Saab,2026-06-30 22:15:00") })
        #expect(rows.contains { $0.hasSuffix("Tata,2026-07-01") })
        let schema = try lines(["schema"] + target + ["--yaml"])
        #expect(schema.contains { $0.contains("timeZone: ") && $0.contains("Europe/Zurich") })
    }

    @Test func timesAreShownAndTypedInTheZone() throws {
        let target = try cars()
        func screen(_ keys: String) throws -> String {
            try lines(["snapshot"] + target + ["--group", "Day", "--keys", keys])
                .joined(separator: "\n")
        }
        let list = try screen("")
        #expect(list.contains("2026-03-29 01:30:00") && list.contains("2026-03-29 03:30:00"))
        #expect(list.contains("2026-07-01 00:15:00"), "stored without a zone: \(list)")
        #expect(list.contains("2026-06-30T22:15:00"), "stored with a zone: \(list)")
        // The first car's second field.
        let form = try screen("e,tab")
        #expect(form.contains("2026-03-29 01:30:00"), "\(form)")
        _ = try screen("e,tab,2,0,2,6,-,0,8,-,0,1,space,0,0,:,3,0,^S")
        let row = try lines(["get"] + target + ["1", "--format", "jsonl"])
        #expect(row.joined().contains("2026-07-31 22:30"), "\(row)")
    }

    /// Where it is never the same day: fourteen hours before UTC, and ten behind it.
    @Test func todayIsThePersonsDay() throws {
        func day(_ hours: Double) -> String {
            Date(timeIntervalSinceNow: hours * 3_600).ISO8601Format().prefix(10) + ""
        }
        func found(_ zone: String, _ target: [String]) throws -> String {
            let command =
                ["TZ=\(zone)", Program.valet.path, "rows"] + target
                + ["--where", "parked = today", "--format", "csv"]
            let done = try RunningProcess("/usr/bin/env", command, in: scratch).finish()
            #expect(done.code == 0)
            return done.text
        }
        let (east, west) = (day(14), day(-10))
        let csv = """
            make,parked
            Fiat,\(east) 00:00:00
            Opel,\(east) 23:59:59
            Saab,\(west) 00:00:00
            Audi,\(west) 23:59:59
            Tata,\(day(-10 - 24)) 23:59:59

            """
        let database = try scratch.database("today.sqlite", table: "cars", csv: csv)
        let columns = "columns: {parked: {type: date}}"
        let plain = try scratch.write("lists: [{name: cars, \(columns)}]", to: "plain.yaml")
        let target = [database, "--catalog", plain]
        let kiritimati = try found("Pacific/Kiritimati", target)
        let honolulu = try found("Pacific/Honolulu", target)
        // The list's zone comes first. What is stored without one is UTC's there.
        let zoned = try scratch.write(
            "lists: [{name: cars, timeZone: Pacific/Honolulu, \(columns)}]", to: "zoned.yaml")
        let listed = try found("Pacific/Kiritimati", [database, "--catalog", zoned])
        // Over there, a day may have begun since.
        guard (day(14), day(-10)) == (east, west) else { return }
        #expect(kiritimati.contains("Fiat") && kiritimati.contains("Opel"))
        #expect(honolulu.contains("Saab") && honolulu.contains("Audi"))
        for rows in [kiritimati, honolulu] {
            #expect(rows.split(separator: "\n").count == 3, "\(rows)")
        }
        #expect(listed.contains("Fiat") && !listed.contains("Opel"), "\(listed)")
        #expect(!listed.contains("Saab") && listed.contains("Audi"), "\(listed)")
    }

    @Test func anUnknownZoneIsNamedWithItsLine() throws {
        let database = try scratch.database(table: "cars", csv: Self.cars + "\n")
        let catalog = try scratch.write(
            Self.catalog.replacing("Zurich", with: "Zurch"), to: "valet.yaml")
        let done = try scratch.valet(["lists", database, "--catalog", catalog])
        #expect(done.code != 0)
        #expect(
            done.message.contains(
                "valet.yaml”, line 3: lists[0].timeZone: must be the name of a time zone, "
                    + "such as Europe/Zurich, not “Europe/Zurch”"), "\(done.message)")
    }
}
