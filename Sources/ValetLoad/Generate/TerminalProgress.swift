import Foundation

/// How far long work has come, on one line of standard error; nothing where that is no terminal.
struct TerminalProgress {
    private let total: Int
    private let unit: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private let interval = Duration.milliseconds(200)
    private var next: ContinuousClock.Instant

    init(total: Int, unit: String) {
        self.total = total
        self.unit = unit
        // Work that is done at once says nothing.
        next = clock.now + interval
    }

    mutating func show(_ count: Int) {
        guard isShown, clock.now >= next else { return }
        next = clock.now + interval
        Self.write("\r\(Self.line(count: count, total: total, unit: unit))")
    }

    /// Takes the line away.
    func end() {
        if isShown { Self.write("\r\u{1B}[K") }
    }

    /// `1,204,000 of 10,000,000 cars  12%`
    static func line(count: Int, total: Int, unit: String) -> String {
        let percent = total == 0 ? 100 : count * 100 / total
        return "\(grouped(count)) of \(grouped(total)) \(unit)  \(percent)%"
    }

    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.indices.map { index in
            let left = digits.distance(from: index, to: digits.endIndex)
            return (left % 3 == 0 && left < digits.count ? "," : "") + String(digits[index])
        }.joined()
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
