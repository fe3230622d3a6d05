import Testing

@testable import ValetModel

struct CivilTimeTests {
    private func time(_ text: String) -> CivilTime? {
        Array(text.utf8).withUnsafeBytes { CivilTime(iso8601: $0) }
    }

    @Test func daysAreCountedFrom1970() {
        #expect(time("1970-01-01")?.days == 0)
        #expect(time("1969-12-31")?.days == -1)
        #expect(time("2000-02-29T23:59:59Z")?.days == 11_016)
        #expect(time("2000-03-01 00:00")?.days == 11_017)
        #expect(time("0000-03-01")?.days == -719_468)
        #expect(time("9999-12-31T23:59:60.999-0330")?.days == 2_932_896)
        #expect(CivilTime(secondsSince1970: -1).days == -1)
        #expect(CivilTime(secondsSince1970: 86_400).days == 1)
    }

    @Test(arguments: [
        "2024-02-29", "2024-02-29 23:45", "2024-02-29T23:45:59", "2024-02-29t23:45:60",
        "2024-02-29T23:45:00.5Z", "2024-02-29T23:45:00.123456789+01:00", "2024-02-29 23:45z",
        "2024-02-29 23:45-0330", "2024-02-29 23:45:00+14", "2024-02-29 23:45:00-23:59",
    ])
    func aDateIsWhatItsTextSays(text: String) {
        let time = time(text)
        #expect(time?.days == 19_782)
        #expect(time.map { CivilTime.isoDay($0.days) } == "2024-02-29")
        #expect(time?.isoMinute == (text.utf8.count == 10 ? "00:00" : "23:45"))
    }

    @Test(arguments: [
        "", "2024", "2024-1-1", "2024-13-01", "2024-00-01", "2024-01-32", "2024-01-00",
        "2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31", "2024-06-31", "2024-09-31",
        "2024-11-31", "2024-01-01x", "2024-01-01 ", "2024-01-01 1:00", "2024-01-01 12",
        "2024-01-01 24:00", "2024-01-01 10:60", "2024-01-01 12:30:99", "2024-01-01 12:30:61",
        "2024-01-01 12:30:1", "2024-01-01 12:30:00.", "2024-01-01 12:30:00.1234567890",
        "2024-01-01 12:30 garbage", "2024-01-01T10:00:00+", "2024-01-01T10:00:00+1",
        "2024-01-01T10:00:00+24:00", "2024-01-01T10:00:00+10:60", "2024-01-01T10:00:00ZZ",
        "2024-01-01T10:00:00Z ", "2024-01-01Z", "2024-01-01_10:00", "20240101", "2024/01/01",
        "-024-01-01", "２０２４-01-01", "2024-01-01\u{301}", "2024-01-01\u{0}",
    ])
    func aTextThatIsNoDateIsNone(text: String) {
        #expect(time(text) == nil)
    }

    /// Nine years around a century that is no leap year, and around one that is.
    @Test(arguments: [("1896-01-01", "1904-12-31"), ("1996-01-01", "2004-12-31")])
    func everyDayIsReadBackAsItIsWritten(first: String, last: String) throws {
        let days = try #require(time(first)).days...#require(time(last)).days
        #expect(days.count == (first < "1900" ? 3_287 : 3_288))
        for day in days {
            let text = CivilTime.isoDay(day)
            #expect(time(text)?.days == day)
            #expect(CivilTime.day(title: text) == day)
            let month = CivilTime(days: day, minuteOfDay: 0).months
            #expect(CivilTime.isoMonth(month) == text.dropLast(3))
            #expect(CivilTime.months(title: String(text.dropLast(3))) == month)
        }
    }

    @Test func titlesOfDaysThatNoCalendarHasAreNone() {
        #expect(CivilTime.day(title: "-5000-03-01").map(CivilTime.isoDay) == "-5000-03-01")
        #expect(CivilTime.day(title: "12345-12-31").map(CivilTime.isoDay) == "12345-12-31")
        for title in [
            "2024-02-30", "2023-02-29", "2024-13-01", "2024-01-00", "-", "--", "2024-1-1",
        ] {
            #expect(CivilTime.day(title: title) == nil)
        }
        #expect(CivilTime.months(title: "-0001-02").map(CivilTime.isoMonth) == "-0001-02")
        for title in ["2024-13", "2024", "2024-1", "2024-02-29", "", "-"] {
            #expect(CivilTime.months(title: title) == nil)
        }
    }

    @Test func theWholeRangeOfSecondsHasDays() {
        #expect(CivilTime(secondsSince1970: Int64.min).minuteOfDay == 509)
        #expect(CivilTime(secondsSince1970: Int64.max).minuteOfDay == 930)
        for seconds in [Double.nan, .infinity, -.infinity, 0x1p63, -0x1p64] {
            #expect(CivilTime(secondsSince1970: seconds) == nil)
        }
        #expect(CivilTime(secondsSince1970: -0.5) == CivilTime(secondsSince1970: Int64(-1)))
    }
}
