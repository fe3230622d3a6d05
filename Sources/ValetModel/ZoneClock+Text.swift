/// Dates as text: stored in UTC, or with a zone of their own; shown and typed in the clock's zone.
extension ZoneClock {
    /// What a person reads of a stored text, in its own form; nil for a text that is no time.
    package func shown(_ stored: String) -> String? {
        guard let written = ISO8601Time(stored), let second = written.secondsSince1970 else {
            return nil
        }
        return Self.text(stored, written, saying: wall(second: second), zone: "")
    }

    /// What is stored for a date that a person has typed; nil for what is none. A text that names
    /// its zone, and a date without a time, stay as they are.
    ///
    /// - Parameter example: a cell of the column. If it names its zone, the text says Z for UTC.
    package func stored(typed: String, like example: Cell?) -> String? {
        guard let written = ISO8601Time(typed) else { return nil }
        guard written.zoneMinutes == nil, let wall = written.secondsSince1970 else { return typed }
        let zone = Self.namesZone(example) ? "Z" : ""
        return Self.text(typed, written, saying: second(wall: wall), zone: zone)
    }

    private static func namesZone(_ example: Cell?) -> Bool {
        guard case .text(let text) = example else { return false }
        return ISO8601Time(text)?.zoneMinutes != nil
    }

    /// A text in the form of another; nil outside the years of four digits.
    private static func text(
        _ model: String, _ written: ISO8601Time, saying seconds: Int64, zone: String
    ) -> String? {
        guard CivilTime.usualSeconds.contains(seconds) else { return nil }
        let time = CivilTime(secondsSince1970: seconds)
        let bytes = Array(model.utf8)
        let separator = String(decoding: bytes[10..<11], as: UTF8.self)
        var text = CivilTime.isoDay(time.days) + separator + time.isoMinute
        if written.second != nil {
            let second = (seconds % 60 + 60) % 60
            text += ":" + CivilTime.padded(second, to: 2)
            text += String(decoding: bytes[19...].dropLast(written.bytesOfZone), as: UTF8.self)
        }
        return text + zone
    }
}
