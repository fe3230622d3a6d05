import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog says of the form in which values are shown.
@Suite struct CatalogFormatTests {
    private let folder = TemporaryFolder()

    private func cars(_ entry: String) throws -> ListDescription {
        try folder.list(
            of: "cars", "CREATE TABLE cars (make TEXT, year INTEGER, fuel REAL, parked TEXT)",
            entry: entry)
    }

    @Test(arguments: [
        ("parked: {type: date, format: iso}", ColumnFormat.plain),
        ("parked: {type: date, format: day}", .day),
        ("parked: {editor: date, format: time}", .time),
        ("parked: {type: date, format: dayAndTime}", .dayAndTime),
        ("parked: {type: date, format: monthYear}", .monthYear),
        ("year: {format: {grouped: yes}}", .number(decimals: nil, isGrouped: true)),
        ("year: {format: {grouped: no}}", .plain),
        ("fuel: {format: {decimals: 0}}", .number(decimals: 0, isGrouped: false)),
        ("fuel: {format: {decimals: 9, grouped: true}}", .number(decimals: 9, isGrouped: true)),
    ])
    func aFormatIsRead(entry: String, format: ColumnFormat) throws {
        let list = try cars("columns: {\(entry)}")
        #expect(list.columns.map(\.format).contains(format))
        #expect(list.columns.count { $0.format != .plain } == (format == .plain ? 0 : 1))
    }

    @Test func datesHaveTheListsZoneAndOtherColumnsNone() throws {
        let list = try cars(
            """
            timeZone: Europe/Zurich
                columns:
                  parked: {type: date, min: "2026-07-01", choices: ["2026-06-30 22:00"]}
            """)
        #expect(list.timeZone == "Europe/Zurich")
        #expect(list.columns.map { $0.zone?.name } == [nil, nil, nil, "Europe/Zurich"])
        let parked = list.columns[3]
        #expect(parked.rule(brokenBy: .text("2026-06-30 22:00")) == nil)
        #expect(parked.rule(brokenBy: .text("2026-06-30 21:59"))?.hasPrefix("at least") == true)
    }

    @Test(arguments: ["Europe/Zurch", "CET", "+01:00", "''"])
    func anUnknownZoneIsRefused(name: String) {
        let text = "timeZone: must be the name of a time zone, such as Europe/Zurich"
        expectFailure(saying: "catalog.yaml”, line 3: lists[0].\(text)") {
            try cars("timeZone: \(name)")
        }
    }

    /// A grouping by time makes a date of its column, before its format is looked at.
    @Test func aColumnThatAGroupingReadsAsADateHasFormatsOfDates() throws {
        let list = try cars(
            """
            columns: {parked: {format: day}}
                groupings:
                  - {column: parked, section: hourOfDay, hours: 12}
                  - {name: b, column: parked, section: hourOfDay, hours: 24}
            """)
        #expect(list.columns[3].format == .day && list.columns[3].type == .date)
        #expect(list.groupings.map(\.usesTwelveHours) == [true, false])
    }

    @Test(arguments: [
        (
            "parked: {type: date, format: short}",
            "columns.parked.format: “short” is not a known word. There are: iso, day, "
                + "time, dayAndTime, monthYear"
        ),
        ("parked: {type: date, format: [day]}", "parked.format: must be a text"),
        ("make: {format: day}", "format: is for dates, and “make” is text"),
        ("year: {format: iso}", "format: is for dates, and “year” is integer"),
        ("make: {format: {decimals: 1}}", "format: is for numbers, and “make” is text"),
        ("parked: {type: date, format: {grouped: yes}}", "is for numbers, and “parked” is date"),
        ("fuel: {editor: time, format: {decimals: 1}}", "and “fuel” has the editor time"),
        ("fuel: {format: {}}", "format: needs decimals, grouped or both"),
        ("fuel: {format: {digits: 2}}", "format.digits: is not a known key"),
        ("fuel: {format: {decimals: 10}}", "decimals: is limited to 9 (decimalsPerNumber)"),
        ("fuel: {format: {decimals: -1}}", "decimals: must be a whole number from 0"),
        ("fuel: {format: {decimals: two}}", "decimals: must be a whole number from 0"),
        ("fuel: {format: {grouped: 3}}", "grouped: must be true or false"),
    ])
    func aFormatThatMakesNoSenseIsNamed(entry: String, rest: String) {
        expectMistake(rest) { _ = try cars("columns: {\(entry)}") }
    }

    @Test(arguments: [
        ("section: hourOfDay, hours: 13", "hours: “13” is not a known word. There are: "),
        ("section: hourOfDay, hours: [12]", "groupings[0].hours: must be a text"),
        ("section: day, hours: 12", "groupings[0].hours: belongs to “section: hourOfDay”"),
    ])
    func hoursThatMakeNoSenseAreNamed(entry: String, rest: String) {
        expectMistake(rest) { _ = try cars("groupings: [{column: parked, \(entry)}]") }
    }
}
