import ValetModel

/// The dates of RSS (RFC 822), as the ISO 8601 that Valet reads.
enum FeedDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// RFC 822's zones, in hours from UTC.
    private static let zones = [
        "ut": 0, "gmt": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
        "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    /// nil if the text is no such date: Atom's are ISO 8601 already.
    static func iso8601(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let pattern =
            #/
            (?:[A-Za-z]+,?\s+)? (\d{1,2}) \s+ ([A-Za-z]{3})[a-z]* \s+ (\d{4}|\d{2}) \s+
            (\d{2}):(\d{2})(?::(\d{2}))? \s* ([A-Za-z]+|[+\-]\d{4})?
            /#
        guard let match = text.wholeMatch(of: pattern.asciiOnlyDigits()),
            let month = months.firstIndex(of: match.2.lowercased()), let year = Int(match.3)
        else { return nil }
        let whole = match.3.count == 4 ? year : year + (year < 70 ? 2000 : 1900)
        let date = "\(digits(whole, 4))-\(digits(month + 1, 2))-\(digits(Int(match.1) ?? 0, 2))"
        let time = "\(match.4):\(match.5):\(match.6 ?? "00")"
        return date + " " + time + zone(match.7)
    }

    private static func zone(_ text: Substring?) -> String {
        guard let text else { return "" }
        guard let first = text.first, first.isLetter else {
            return text.dropFirst().allSatisfy { $0 == "0" }
                ? "Z" : "\(text.prefix(3)):\(text.suffix(2))"
        }
        let hours = zones[text.lowercased()] ?? 0
        if hours == 0 { return "Z" }
        return (hours < 0 ? "-" : "+") + digits(abs(hours), 2) + ":00"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        CivilTime.padded(Int64(number), to: count)
    }
}
