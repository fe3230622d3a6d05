import TestSupport
import Testing

/// A list whose catalog names a time zone.
@Suite(.runsPrograms) struct TimeZoneTests {
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

    private func cars(_ scratch: Scratch) throws -> [String] {
        let database = try scratch.database(table: "cars", csv: Self.cars + "\n")
        return [database, "--catalog", try scratch.write(Self.catalog, to: "valet.yaml")]
    }

    private func lines(_ arguments: [String], in scratch: Scratch) throws -> [String] {
        let done = try Program.valet.run(arguments, in: scratch)
        #expect(done.code == 0, "\(done.message)")
        return done.lines
    }

    @Test func sectionsAreOfTheZoneAndRowsAreAsStored() throws {
        try Scratch.with { scratch in
            let target = try cars(scratch)
            func sections(_ grouping: String) throws -> [String] {
                let done = try Program.valet.run(
                    ["sections"] + target + ["--group", grouping, "--format", "jsonl"],
                    in: scratch)
                return try done.objects.map { "\($0["title"] ?? "") \($0["count"] ?? "")" }
            }
            #expect(try sections("Hour") == ["00:00 2", "01:00 1", "03:00 1", "22:00 1"])
            #expect(try sections("Day") == ["2026-03-29 2", "2026-06-30 1", "2026-07-01 2"])
            let rows = try lines(
                ["rows"] + target
                    + ["--group", "Day", "--section", "2026-07-01", "--format", "csv"], in: scratch)
            #expect(rows.contains { $0.hasSuffix("Saab,2026-06-30 22:15:00") })
            #expect(rows.contains { $0.hasSuffix("Tata,2026-07-01") })
            let schema = try lines(["schema"] + target + ["--yaml"], in: scratch)
            #expect(schema.contains { $0.contains("timeZone: ") && $0.contains("Europe/Zurich") })
        }
    }

    @Test func whatIsShownAndTypedIsOfTheZone() throws {
        try Scratch.with { scratch in
            let target = try cars(scratch)
            func screen(_ keys: String) throws -> String {
                try lines(
                    ["snapshot"] + target + ["--group", "Day", "--keys", keys], in: scratch
                ).joined(separator: "\n")
            }
            let list = try screen("")
            #expect(list.contains("2026-03-29 01:30:00") && list.contains("2026-03-29 03:30:00"))
            #expect(list.contains("2026-07-01 00:15:00"), "stored without a zone: \(list)")
            #expect(list.contains("2026-06-30T22:15:00"), "stored with a zone: \(list)")
            // The first car's second field.
            let form = try screen("e,tab")
            #expect(form.contains("2026-03-29 01:30:00"), "\(form)")
            _ = try screen("e,tab,2,0,2,6,-,0,8,-,0,1,space,0,0,:,3,0,^S")
            let row = try lines(["get"] + target + ["1", "--format", "jsonl"], in: scratch)
            #expect(row.joined().contains("2026-07-31 22:30"), "\(row)")
        }
    }

    @Test func anUnknownZoneIsNamedWithItsLine() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "cars", csv: Self.cars + "\n")
            let catalog = try scratch.write(
                Self.catalog.replacing("Zurich", with: "Zurch"), to: "valet.yaml")
            let done = try Program.valet.run(
                ["lists", database, "--catalog", catalog], in: scratch)
            #expect(done.code != 0)
            #expect(
                done.message.contains(
                    "valet.yaml”, line 3: lists[0].timeZone: must be the name of a time zone, "
                        + "such as Europe/Zurich, not “Europe/Zurch”"), "\(done.message)")
        }
    }
}
