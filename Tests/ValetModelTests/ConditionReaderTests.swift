import TestSupport
import Testing

@testable import ValetModel

private let zurich = ZoneClock(named: "Europe/Zurich")
/// 2026-03-09 13:02:30 UTC, a Monday.
private let now: Int64 = 1_773_061_350

private let columns = [
    ColumnDescription(name: "make", type: .text),
    ColumnDescription(name: "year", label: "Model year", type: .integer),
    ColumnDescription(name: "fuel", type: .real),
    ColumnDescription(name: "parked", type: .date),
    ColumnDescription(name: "washed", type: .boolean),
    ColumnDescription(name: "any", type: .blob),
    ColumnDescription(name: "owner first", label: "First", type: .text),
    ColumnDescription(name: "owner", type: .text),
    ColumnDescription(name: "is", type: .text),
    ColumnDescription(name: "Année", type: .integer),
    ColumnDescription(name: "a = b", type: .text),
    ColumnDescription(name: "say \"hi\", now", type: .text),
]

private func condition(_ text: String, now: Int64? = now) throws(ConditionError) -> Condition {
    try ConditionReader(columns: columns, now: now, zone: zurich).condition(text)
}

private func refusal(_ text: String, now: Int64? = now) throws -> ConditionError {
    try #require(throws: ConditionError.self) { try condition(text, now: now) }
}

struct ConditionReaderTests {
    @Test(
        arguments: [
            ("make = BMW", "make", .isOneOf, [.text("BMW")]),
            ("make==BMW", "make", .isOneOf, [.text("BMW")]),
            ("  MAKE  is  Alfa Romeo  ", "make", .isOneOf, [.text("Alfa Romeo")]),
            ("make=bmw,audi , VW", "make", .isOneOf, [.text("bmw"), .text("audi"), .text("VW")]),
            ("make is not BMW", "make", .isNoneOf, [.text("BMW")]),
            ("make ≠ a, b", "make", .isNoneOf, [.text("a"), .text("b")]),
            ("make <> a", "make", .isNoneOf, [.text("a")]),
            ("make!=\"a, b\",\" c\"", "make", .isNoneOf, [.text("a, b"), .text(" c")]),
            ("make = \"say \"\"hi\"\"\"", "make", .isOneOf, [.text("say \"hi\"")]),
            ("make = 5\" pipe", "make", .isOneOf, [.text("5\" pipe")]),
            ("make = \"\"", "make", .isOneOf, [.text("")]),
            ("make = =x", "make", .isOneOf, [.text("=x")]),
            ("make = 2015", "make", .isOneOf, [.text("2015")]),
            ("make = today", "make", .isOneOf, [.text("today")]),
            ("make ~ b, c", "make", .contains, [.text("b, c")]),
            ("make contains\"b\"", "make", .contains, [.text("b")]),
            ("make Begins  With B", "make", .beginsWith, [.text("B")]),
            ("make^B", "make", .beginsWith, [.text("B")]),
            ("year between 2005 and 2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("year between 2005/2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("year = 2005 / 2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("year = 2005..2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("year between 2005 .. 2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("fuel = -1.5..-.5", "fuel", .between, [.real(-1.5), .real(-0.5)]),
            ("make = 1..2", "make", .isOneOf, [.text("1..2")]),
            ("parked = 2026-01..2026-03", "parked", .isOneOf, [.text("2026-01/2026-03")]),
            (
                "parked between 2026..today", "parked", .between,
                [.text("2026"), .text("2026-03-09")]
            ),
            ("fuel BETWEEN -1.5 And 1,000", "fuel", .between, [.real(-1.5), .integer(1000)]),
            ("make between a and b", "make", .between, [.text("a"), .text("b")]),
            (
                #"make between "a and b" and c/d"#, "make", .between,
                [.text("a and b"), .text("c/d")]
            ),
            (
                "parked between 2026-01 and today", "parked", .between,
                [.text("2026-01"), .text("2026-03-09")]
            ),
            ("parked = 2026-01-02 9:05", "parked", .isOneOf, [.text("2026-01-02 09:05")]),
            ("make not contains b, c", "make", .doesNotContain, [.text("b, c")]),
            ("make !~ b", "make", .doesNotContain, [.text("b")]),
            ("make does not contain b", "make", .doesNotContain, [.text("b")]),
            (#"make ~ "~""#, "make", .contains, [.text("~")]),
            ("year >= 1,450,000", "year", .atLeast, [.integer(1_450_000)]),
            ("fuel < -1,000.5", "fuel", .below, [.real(-1_000.5)]),
            ("year = 100,200", "year", .isOneOf, [.integer(100), .integer(200)]),
            ("make missing", "make", .isMissing, []),
            ("make is missing ", "make", .isMissing, []),
            ("make is missing link", "make", .isOneOf, [.text("missing link")]),
            ("make = missing", "make", .isOneOf, [.text("missing")]),
            ("make is \"missing\"", "make", .isOneOf, [.text("missing")]),
            ("make not missing", "make", .isPresent, []),
            ("make is not missing", "make", .isPresent, []),
            ("make present", "make", .isPresent, []),
            ("year>=2015", "year", .atLeast, [.integer(2015)]),
            ("year ≥ -9223372036854775808", "year", .atLeast, [.integer(.min)]),
            ("model YEAR at least 2015", "year", .atLeast, [.integer(2015)]),
            ("year at most 9007199254740993", "year", .atMost, [.integer(9_007_199_254_740_993)]),
            ("year<+7", "year", .below, [.integer(7)]),
            ("year below 7.0", "year", .below, [.real(7)]),
            ("year above 1e3", "year", .above, [.integer(1_000)]),
            ("fuel above 1e-1", "fuel", .above, [.real(0.1)]),
            ("year above 1e300", "year", .above, [.real(1e300)]),
            ("year > 1.5 million", "year", .above, [.integer(1_500_000)]),
            ("year > 20K", "year", .above, [.integer(20_000)]),
            ("fuel < -2.5m", "fuel", .below, [.integer(-2_500_000)]),
            ("year = 1k, 2 bn", "year", .isOneOf, [.integer(1_000), .integer(2_000_000_000)]),
            ("year between 1k and 2k", "year", .between, [.integer(1_000), .integer(2_000)]),
            // Without an operator, and without the end of a name.
            ("year 2015", "year", .isOneOf, [.integer(2015)]),
            ("year 2005/2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("fuel -.5", "fuel", .isOneOf, [.real(-0.5)]),
            ("parked 2026-03", "parked", .isOneOf, [.text("2026-03")]),
            ("ye>2000", "year", .above, [.integer(2000)]),
            ("ANN = 1", "Année", .isOneOf, [.integer(1)]),
            ("year 2005..2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("ye 2005/2010", "year", .between, [.integer(2005), .integer(2010)]),
            ("ye  2005", "year", .isOneOf, [.integer(2005)]),
            ("year = 1,000", "year", .isOneOf, [.integer(1), .integer(0)]),
            ("year = \"abc\"", "year", .isOneOf, [.text("abc")]),
            ("year ^ 19", "year", .beginsWith, [.text("19")]),
            ("fuel = 2, .5", "fuel", .isOneOf, [.integer(2), .real(0.5)]),
            ("washed is Yes", "washed", .isOneOf, [.integer(1)]),
            ("washed = false, 1", "washed", .isOneOf, [.integer(0), .integer(1)]),
            ("any = 5", "any", .isOneOf, [.integer(5)]), ("any = x", "any", .isOneOf, [.text("x")]),
            ("parked = 2026", "parked", .isOneOf, [.text("2026")]),
            ("parked = +2026", "parked", .isOneOf, [.integer(2026)]),
            ("parked ≥ 2026-03-09 14:02", "parked", .atLeast, [.text("2026-03-09 14:02")]),
            ("parked = 2026-01 / 2026-03", "parked", .isOneOf, [.text("2026-01/2026-03")]),
            ("parked < 1700000000", "parked", .below, [.integer(1_700_000_000)]),
            ("parked ^ 2026-1", "parked", .beginsWith, [.text("2026-1")]),
            ("parked = \"today\"", "parked", .isOneOf, [.text("today")]),
            ("parked = today, 2025", "parked", .isOneOf, [.text("2026-03-09"), .text("2025")]),
            ("owner first = Ana", "owner first", .isOneOf, [.text("Ana")]),
            ("First = Ana", "owner first", .isOneOf, [.text("Ana")]),
            ("owner = first = Ana", "owner", .isOneOf, [.text("first = Ana")]),
            ("is is is", "is", .isOneOf, [.text("is")]),
            ("annee = 1", "Année", .isOneOf, [.integer(1)]),
            ("Anne\u{301}e=1", "Année", .isOneOf, [.integer(1)]),
            ("a = b = c", "a = b", .isOneOf, [.text("c")]),
            ("\"A = b\" missing", "a = b", .isMissing, []),
            ("\"say \"\"hi\"\", now\"is x", "say \"hi\", now", .isOneOf, [.text("x")]),
            ("say \"hi\", now = x", "say \"hi\", now", .isOneOf, [.text("x")]),
            ("make\u{A0}=\u{3000}x\u{A0}", "make", .isOneOf, [.text("x")]),
        ] as [(String, String, Comparison, [Cell])])
    func aTypedConditionIsUnderstood(
        text: String, column: String, comparison: Comparison, values: [Cell]
    ) throws {
        #expect(try condition(text) == Condition(column: column, comparison, values))
    }

    @Test(
        arguments: [
            ("", .column, "", true), ("  ", .column, "", true), ("= 5", .column, "", false),
            ("ma", .column, "ma", true), ("own", .column, "own", true),
            ("owner fi", .column, "owner fi", true), ("\"ma", .column, "\"ma", true),
            ("yaer >= 2015", .column, "yaer", false), ("makes = x", .column, "makes", false),
            ("makeis x", .column, "makeis x", false), ("\"yaer\" = 1", .column, "\"yaer\"", false),
            ("no such contains x", .column, "no such", false),
            ("make", .comparison, "", true), ("make ", .comparison, "", true),
            ("\"make\"", .comparison, "", true), ("year a", .comparison, "a", true),
            ("year at", .comparison, "at", true), ("make begins", .comparison, "begins", true),
            ("make 2015", .comparison, "2015", false), ("year x", .comparison, "x", false),
            ("year > 5 mil", .value, "5 mil", true), ("year > 5 x", .value, "5 x", false),
            ("year > 1 2k", .value, "1 2k", false), ("year > 1e3k", .value, "1e3k", false),
            ("make !", .comparison, "!", true),
            ("make missing x", .comparison, "missing", false),
            ("washed > 1", .comparison, ">", false), ("washed ~ 1", .comparison, "~", false),
            ("parked contains 2026", .comparison, "contains", false),
            ("make =", .value, "", true), ("make is not ", .value, "", true),
            ("make = a,", .value, "", true), ("make = a,,b", .value, "", false),
            ("make = \"a", .value, "\"a", true), ("make = \"a\" b", .value, "b", false),
            ("make ~ \"a\", b", .value, ", b", false),
            ("year = abc", .value, "abc", false), ("year = -", .value, "-", true),
            ("year >= 1,00", .value, "1,00", false), ("year > 1000,000", .value, "1000,000", false),
            ("make ~~ x", .value, "~ x", false), ("make ^^", .value, "^", true),
            ("make ~", .value, "", true), ("year between 2005", .value, "2005", true),
            ("year between 2005 and", .value, "2005 and", true),
            ("year between 2005 and x", .value, "x", false),
            ("year between x and 2005", .value, "x", false),
            ("washed between 0 and 1", .comparison, "between", false),
            ("year = 1, x, 2", .value, "x", false),
            ("year = nan", .value, "nan", false), ("year = -Inf", .value, "-Inf", false),
            ("year = infinity", .value, "infinity", false), ("year = 0x10", .value, "0x10", false),
            ("year = 2005 and 2010", .value, "2005 and 2010", false),
            ("year = 1-2", .value, "1-2", false), ("year = 2005/", .value, "2005/", true),
            ("year = 2005..", .value, "2005..", true), ("year = 1..2..3", .value, "1..2..3", true),
            ("year = 1..x", .value, "1..x", false), ("year = --1", .value, "--1", false),
            ("year = 9223372036854775808", .value, "9223372036854775808", false),
            ("fuel = 1e999", .value, "1e999", false), ("fuel = .", .value, ".", true),
            ("washed = maybe", .value, "maybe", false), ("washed = ye", .value, "ye", true),
            ("parked = soon", .value, "soon", false), ("parked = last", .value, "last", true),
            ("parked = 2026-13", .value, "2026-13", true),
            ("parked = last 0 days", .value, "last 0 days", false),
            (
                "parked = last 9999999999999999999 days", .value, "last 9999999999999999999 days",
                false
            ),
        ] as [(String, ConditionError.Part, String, Bool)])
    func anUnreadableQueryIsSaidWithItsPlace(
        text: String, expected: ConditionError.Part, typed: String, isIncomplete: Bool
    ) throws {
        let error = try refusal(text)
        #expect(error.expected == expected && error.typed == typed)
        #expect(error.isIncomplete == isIncomplete)
        let place = Array(text.utf8)[error.place]
        #expect(String(decoding: place, as: UTF8.self) == typed)
        #expect(!error.message.isEmpty && error.message.last != ".")
        #expect(
            error.code
                == (expected == .column && !text.hasPrefix("\"ma")
                    ? .unknownColumn : .invalidCondition))
    }

    @Test func alternativesAreNamed() throws {
        let unknown = try refusal("yaer = 1")
        #expect(unknown.error.message == "there is no column “yaer”")
        #expect(unknown.alternatives == columns.map(\.name))
        let any = ColumnDescription(name: "any", type: .text)
        #expect(Comparison.comparisons(of: any) == Comparison.allCases, "none is forgotten")
        let order = try refusal("washed > 0")
        #expect(order.message == "“washed” is yes or no and has no order")
        #expect(order.alternatives == ["=", "≠", "missing", "present"])
        let date = try refusal("parked !! 0")
        #expect(date.message == "“!!” is not an operator")
        #expect(
            date.alternatives
                == [
                    "=", "≠", "<", "≤", ">", "≥", "between", "begins with", "missing", "present",
                ])
    }

    @Test func limitsAreKept() throws {
        let longest = String(repeating: "x", count: Limits.bytesPerSearch)
        #expect(try condition("make = " + longest).values == [.text(longest)])
        for text in ["make = x\(longest)", "make = \"x\(longest)\"", "make ~ é\(longest)"] {
            #expect(try refusal(text).code == .limitExceeded)
        }
        let long = try refusal("make = x\(longest)").message
        #expect(long == "a value takes at most 4096 bytes, not 4097")
        let most = Array(repeating: "1", count: Limits.valuesPerCondition).joined(separator: ",")
        #expect(try condition("year = " + most).values.count == Limits.valuesPerCondition)
        let error = try refusal("year = 2," + most)
        #expect(error.code == .limitExceeded)
        #expect(error.message == "a condition takes at most 1024 values")
    }

    @Test(
        arguments: [
            ("make = a, O\"Neil, b", "b"), ("make = O\"Neil,", ""), ("make = \"a, b\", c", "c"),
            ("make = \"a, b", "a, b"), ("make = a\", \"b, c", "b, c"), ("make ~ a, b", "a, b"),
            ("make = \"a\" b, c", "c"),
        ] as [(String, String)])
    func theLastValueIsTheOneThatIsTyped(text: String, typed: String) throws {
        let value = try #require(ConditionReader(columns: columns).typedValue(in: text))
        #expect(value.text == typed)
    }

    // MARK: Words

    @Test(arguments: [
        ("today", "2026-03-09"), ("Yesterday", "2026-03-08"), ("tomorrow", "2026-03-10"),
        ("this  week", "2026-03-09/2026-03-15"), ("last week", "2026-03-02/2026-03-08"),
        ("next week", "2026-03-16/2026-03-22"), ("this month", "2026-03"),
        ("last month", "2026-02"), ("next month", "2026-04"), ("this year", "2026"),
        ("last year", "2025"), ("next year", "2027"), ("last 7 days", "2026-03-03/2026-03-09"),
        ("last 1 day", "2026-03-09/2026-03-09"), ("last 2 weeks", "2026-02-24/2026-03-09"),
        ("last 24 hours", "2026-03-08 14:02:30/2026-03-09 14:02:30"),
    ])
    func wordsAreTimesFromNow(words: String, text: String) throws {
        #expect(try condition("parked = \(words)").values == [.text(text)])
        #expect(WallTime.span(text) != nil)
        let error = try refusal("parked = \(words)", now: nil)
        #expect(error.message.contains("changes from day to day") && error.typed == words)
    }

    @Test(
        arguments: [
            // The last second of a Sunday, of a December and of a year in UTC.
            (1_767_225_599, "today", "2025-12-31", "2026-01-01"),
            (1_767_225_599, "next month", "2026-01", "2026-02"),
            (1_767_225_599, "last month", "2025-11", "2025-12"),
            (1_773_014_399, "this week", "2026-03-02/2026-03-08", "2026-03-09/2026-03-15"),
            (-1, "this week", "1969-12-29/1970-01-04", "1969-12-29/1970-01-04"),
        ] as [(Int64, String, String, String)])
    func daysAreThoseOfTheZone(second: Int64, words: String, utc: String, there: String) throws {
        let date = try #require(RelativeDate(words))
        #expect(date.text(at: second, in: nil) == utc)
        #expect(date.text(at: second, in: zurich) == there)
    }

    @Test func theListsZoneComesBeforeThePersons() throws {
        var local = columns
        local.setZone("America/New_York")
        // 18:30 on the day before in New York.
        let reader = ConditionReader(columns: local, now: now - 14 * 3_600, zone: zurich)
        #expect(try reader.condition("parked = today").values == [.text("2026-03-08")])
        let midnight = ConditionReader(columns: local, now: 1_773_018_000, zone: zurich)
        #expect(try midnight.condition("parked = today").values == [.text("2026-03-08")])
        #expect(
            try ConditionReader(columns: columns, now: 1_773_018_000, zone: zurich)
                .condition("parked = today").values == [.text("2026-03-09")])
    }

    @Test(arguments: [Int64.min, -62_167_219_200, 253_402_300_799, .max])
    func noClockIsTooFarOff(second: Int64) throws {
        for words in RelativeDate.words + ["last 9999 weeks", "last 9999 hours"] {
            let date = try #require(RelativeDate(words))
            for zone in [nil, zurich] {
                if let text = date.text(at: second, in: zone) {
                    #expect(WallTime.span(text) != nil)
                }
            }
        }
    }

    /// What a cell shows is a condition that finds it, also when it is saved or copied.
    @Test func infinitiesReadAsTheyAreShown() throws {
        let columns = [("v", ColumnType.blob), ("r", .real), ("t", .text)].map {
            ColumnDescription(name: $0, label: $0, type: $1)
        }
        let reader = ConditionReader(columns: columns)
        for column in ["v", "r"] {
            for infinity in [Double.infinity, -.infinity] {
                let condition = Condition(column: column, .isOneOf, [.real(infinity)])
                #expect(condition.text(in: columns) == "\(column) = \(infinity)")
                #expect(try reader.condition(condition.text(in: columns)) == condition)
            }
        }
        let word = Condition(column: "v", .isOneOf, [.text("inf")])
        #expect(word.text(in: columns) == "v = \"inf\"")
        #expect(try reader.condition(word.text(in: columns)) == word)
        #expect(try reader.condition("t = inf").values == [.text("inf")])
        let span = try reader.condition("r between -inf and 5")
        #expect(span.values == [.real(-.infinity), .integer(5)])
        #expect(throws: ConditionError.self) { try reader.condition("r = infinite") }
    }
}
