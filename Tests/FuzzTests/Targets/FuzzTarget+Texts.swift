import ValetModel
import ValetTerminal

@testable import ValetStore

extension FuzzTarget {
    private static let reader = ConditionReader(
        columns: [
            ColumnDescription(name: "make", label: "Make or maker", type: .text),
            ColumnDescription(name: "year", type: .integer),
            ColumnDescription(name: "price", type: .real),
            ColumnDescription(name: "parked at", type: .date),
            ColumnDescription(name: "washed", type: .boolean),
        ], now: 1_700_000_000, zone: ZoneClock(named: "Europe/Berlin"))

    static func readConditions(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let condition = try? reader.condition(text) else { return }
        let column = reader.columns.first { $0.name == condition.column }
        guard let column else { throw Broken(what: "“\(text)” is about no column") }
        try check(condition.refusal(in: column) == nil, "“\(text)” is read and refused")
        let written = condition.text(in: reader.columns)
        let again = try? reader.condition(written)
        try check(again == condition, "“\(text)” is written “\(written)”")
    }

    /// Decoded at once and byte by byte: it is the same. After a rest behind an escape byte, keys
    /// may be others.
    static func readKeys(_ bytes: [UInt8]) throws {
        func events(_ pieces: [ArraySlice<UInt8>]) -> [InputEvent] {
            var decoder = InputDecoder()
            if bytes.count.isMultiple(of: 2) { decoder.expectAnswers() }
            return pieces.flatMap { decoder.decode($0) } + decoder.flush()
        }
        let whole = events([bytes[...]])
        try check(
            whole == events(bytes.indices.map { bytes[$0...$0] }), "other keys when in pieces")
        for place in bytes.indices.filter({ bytes[$0] == 0x1B }).prefix(4) {
            var decoder = InputDecoder()
            decoder.expectAnswers()
            for end in [place + 1, min(place + 2, bytes.count)] {
                _ = decoder.decode(bytes[..<end]) + decoder.flush()
                _ = decoder.decode(bytes[end...]) + decoder.flush()
            }
        }
    }

    static func readLog(_ bytes: [UInt8]) throws {
        var step: UInt64?
        if let verdict = Verdict(stored: bytes, step: &step) {
            var again: UInt64?
            let stored = verdict.stored(step: step)
            try check(Verdict(stored: stored, step: &again) == verdict, "another verdict")
            try check(again == step, "another step")
        }
        guard let entry = EntrySections(bytes) else { return }
        for revision in entry.revisions {
            guard let command = entry.command(at: revision) else { continue }
            _ = command.section(at: revision)
        }
    }
}
