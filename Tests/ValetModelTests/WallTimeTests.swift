import Testing

@testable import ValetModel

@Suite struct WallTimeTests {
    private func text(_ seconds: Range<Int64>?) -> String? {
        seconds.map { WallTime.text($0.lowerBound) + " – " + WallTime.text($0.upperBound - 1) }
    }

    @Test(arguments: [
        ("2026", "2026-01-01 00:00:00 – 2026-12-31 23:59:59"),
        ("2024-02", "2024-02-01 00:00:00 – 2024-02-29 23:59:59"),
        ("2026-12-31", "2026-12-31 00:00:00 – 2026-12-31 23:59:59"),
        ("2026-03-09T14", "2026-03-09 14:00:00 – 2026-03-09 14:59:59"),
        ("2026-03-09 14:02", "2026-03-09 14:02:00 – 2026-03-09 14:02:59"),
        ("2026-03-09 14:02:30", "2026-03-09 14:02:30 – 2026-03-09 14:02:30"),
        ("2025/2026-02", "2025-01-01 00:00:00 – 2026-02-28 23:59:59"),
    ])
    func aTextNamesASpan(written: String, span: String) {
        #expect(text(WallTime.span(written)) == span)
    }

    @Test(arguments: [
        "", "/", "2026/", "20267", "2026-13", "2026-02-30", "2026-03-09 24", "2026-03-09 14:60",
        "2026-03-09 14:02:60", "2026-03-09 14:02:30Z", "2027/2026", "2026/2027/2028", " 2026",
        "２０２６", "-2026", "2026-3",
    ])
    func anyOtherTextNamesNone(written: String) {
        #expect(WallTime.span(written) == nil)
    }

    /// A beginning of a time is that of exactly the seconds in its range.
    @Test func aBeginningIsThatOfItsSeconds() {
        var random = SeededNumbers(seed: 20_261)
        for _ in 0..<2_000 {
            let second = Int64.random(in: CivilTime.usualSeconds, using: &random)
            let written = WallTime.text(second)
            let prefix = String(written.prefix(.random(in: 1...19, using: &random)))
            let seconds = WallTime.seconds(writtenFrom: prefix)
            guard let seconds, seconds.contains(second) else {
                Issue.record("\(prefix): \(String(describing: seconds))")
                continue
            }
            for edge in [seconds.lowerBound, seconds.upperBound - 1] {
                #expect(WallTime.text(edge).hasPrefix(prefix), "\(prefix)")
            }
            for beyond in [seconds.lowerBound - 1, seconds.upperBound]
            where CivilTime.usualSeconds.contains(beyond) {
                #expect(!WallTime.text(beyond).hasPrefix(prefix), "\(prefix)")
            }
        }
    }

    @Test(arguments: [
        "2026-2", "2026-02-3", "2026-00", "2026-03-09 3", "2026-03-09 14:6", "2026-", "2026-03-",
        "x", "20x", "2026-03-09 14:02:30.5", "2026 03",
    ])
    func aTextThatBeginsNoTimeHasNoSeconds(prefix: String) {
        let isBegun = ["2026-", "2026-03-"].contains(prefix)
        #expect((WallTime.seconds(writtenFrom: prefix) != nil) == isBegun)
    }
}

@Suite struct SearchWordsTests {
    @Test(arguments: [
        ("honda civic", ["honda", "civic"]), ("  a\tb\u{3000}c ", ["a", "b", "c"]),
        ("\"lada niva\" 4", ["lada niva", "4"]), ("\"open end", ["open end"]), ("\"\"", []),
        ("\"a\"b", ["a", "b"]), ("5\" nail", ["5\"", "nail"]), ("\u{301} x", ["x"]), ("", []),
        ("\"", []),
    ])
    func aTextHasWords(text: String, words: [String]) {
        #expect(SearchWords(text).words == words)
    }

    @Test(arguments: [
        ("2026", "2026"), ("-4", "-4"), ("2026-03-09 14:02", "2026-03-09 14:02"), ("1e5", "1e5"),
        ("1,450,000", "1450000"), ("-1,4", "-14"), ("1,", "1"), ("123,456,", "123456"),
        ("3er", nil), ("-", nil), ("a1", nil), ("", nil), ("٣", nil), ("--4", nil), ("1,45,0", nil),
        ("1234,5", nil), ("1,2345", nil), (",5", nil), ("1,,5", nil), ("1,5.5", nil),
    ])
    func aWordIsOfDigits(word: String, digits: String?) {
        #expect(SearchWords.digits(of: word) == digits)
    }
}
