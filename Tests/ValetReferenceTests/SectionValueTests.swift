import Testing
import ValetModel
import ValetReference

/// The reference works out dates on its own; here it is held against ValetModel's calendar.
struct SectionValueTests {
    private static let column = ColumnDescription(name: "at", type: .date)

    private func title(_ text: String, by expression: SectionExpression) -> String? {
        SectionValue(.text(text), of: Self.column, by: expression).title
    }

    @Test(arguments: [
        ("00:59", "12 AM"), ("01:00", "1 AM"), ("11:59", "11 AM"), ("12:00", "12 PM"),
        ("13:00", "1 PM"), ("23:59", "11 PM"),
    ])
    func hoursOfTwelveAreTitled(time: String, title: String) {
        let value = SectionValue(
            .text("2024-02-29 " + time), of: Self.column, by: .hourOfDay, usesTwelveHours: true)
        #expect(value.title == title)
    }

    @Test func aDateIsADateOrUnknown() {
        #expect(title("2024-02-29", by: .year) == "2024")
        #expect(title("2024-02-29 23:30:00-05:00", by: .hourOfDay) == "23:00")
        for text in ["2024-02-30", "2024-02-29 12:30:99", "2024-02-29 12:30 garbage"] {
            #expect(title(text, by: .year) == "–")
            #expect(title(text, by: .hourOfDay) == "–")
        }
    }

    @Test(arguments: [nil, "Europe/Zurich", "America/St_Johns"])
    func bothCalendarsAgreeOnDatesThatWereSpoilt(zone name: String?) {
        let seed: UInt64 = 20_240_229
        var list = ListDescription(
            name: "t", title: "t", columns: [Self.column], titleColumn: nil, groupings: [],
            scopes: [], cell: .columns, timeZone: name)
        let column = list.columns[0]
        list.timeZone = nil
        #expect(list.columns[0] == Self.column && column.zone?.name == name)
        var random = SeededNumbers(seed: seed)
        let dates = [
            "2024-02-29", "2023-02-28 23:59", "1999-12-31T00:00:59Z", "2024-11-30t09:30:00.123+01",
            "0000-02-29 12:00:60.123456789-23:59", "9999-06-30 10:10+0530", "1900-02-28z",
        ]
        let marks = Array("0123456789-:+. TtZzé\u{301}".utf8)
        var dateCount = 0
        for _ in 0..<50_000 {
            var text = Array(dates.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                let mark = marks.randomElement(using: &random)!
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(mark, at: place)
                default: text[place] = mark
                }
            }
            let time = text.withUnsafeBytes { CivilTime(iso8601: $0, in: column.zone) }
            if time != nil { dateCount += 1 }
            let cell = Cell(textBytes: text)
            for (expression, number) in [
                (SectionExpression.day, time?.days), (.hourOfDay, time?.hour),
                (.year, time?.year), (.month, time?.months),
            ] {
                let key = SectionValue(cell, of: column, by: expression).key
                // Quicker than an expectation for each of them.
                guard key != (number.map { .number($0) } ?? .missing) else { continue }
                Issue.record("\(String(decoding: text, as: UTF8.self)), seed \(seed)")
            }
        }
        #expect(dateCount > 10_000)
    }
}
