import ValetModel
import ValetTerminal

/// Picking from many lines.
extension PersonBench {
    private static let lineCount = 100_000
    private static let wordsTyped = 60

    /// From a key to the screen that shows its lines: words typed letter by letter, with slips.
    func lineTimes() -> Measurement {
        var numbers = SeededNumbers(seed: 7, index: -31)
        let words = Self.words(&numbers)
        func word() -> String { words[numbers.below(words.count)] }
        let lines = (0..<Self.lineCount).map { number in
            let folders = (0...numbers.below(4)).map { _ in word() }.joined(separator: "/")
            return Array("\(folders)/\(word().capitalized)\(word())-\(number).txt".utf8)[...]
        }
        var picker = LinePicker(
            hasHeader: false, takesSeveral: false, isASCII: false,
            size: Size(columns: 120, rows: 50))
        for start in stride(from: 0, to: lines.count, by: LineChunk.mostLines) {
            picker.add(Array(lines[start..<min(start + LineChunk.mostLines, lines.count)]))
        }
        picker.ended()
        var times = Latencies()
        for _ in 0..<Self.wordsTyped {
            var typed = Array(word().prefix(3 + numbers.below(5)) + word().prefix(2))
            if numbers.below(8) == 0 { typed[numbers.below(typed.count)] = "q" }
            for key in typed.map(Key.character) + [.control("u")] {
                let start = ContinuousClock.now
                _ = picker.handle(key)
                _ = picker.draw(at: 0)
                times.record(ContinuousClock.now - start)
            }
        }
        return Measurement(
            "person.pick", "from a key until its frame, picking from lines", times,
            note: "\(Self.lineCount.grouped) lines of some 40 bytes, 120 columns, 50 rows")
    }

    private static func words(_ numbers: inout SeededNumbers) -> [String] {
        let parts = ["ba", "co", "du", "fre", "gar", "hin", "ka", "lo", "mer", "ni", "par", "ro"]
        return (0..<900).map { _ in
            (0...1 + numbers.below(3)).map { _ in parts[numbers.below(parts.count)] }.joined()
        }
    }
}
