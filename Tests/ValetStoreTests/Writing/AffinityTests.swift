import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What SQLite's columns make of values, compared with what a command is told.
@Suite struct AffinityTests {
    private static let types = ["INTEGER", "REAL", "NUMERIC", "STRING", "DATE", "TEXT", "BLOB", ""]

    /// What SQLite itself stores in a column of each type.
    private struct Stored {
        private let insertion: Statement

        init(in folder: TemporaryFolder, _ declared: [String]) throws {
            let connection = try Connection(path: folder.path + "/stored.db", access: .create)
            let columns = declared.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
            try connection.run("CREATE TABLE t (\(columns)); BEGIN")
            let marks = Array(repeating: "?1", count: declared.count).joined(separator: ", ")
            insertion = try connection.prepare("INSERT INTO t VALUES (\(marks)) RETURNING *")
        }

        func row(_ cell: Cell) throws -> [Cell] {
            insertion.bind(cell, at: 0)
            defer { insertion.reset() }
            _ = try insertion.step()
            return (0..<insertion.columnCount).map { insertion.cell($0, limit: 1 << 20) }
        }
    }

    /// Whether two cells are one value, by numbers of 38 digits.
    private func areEqual(_ sent: Cell, _ stored: Cell) -> Bool {
        switch (sent, stored) {
        case (.text(let text), .integer), (.text(let text), .real):
            guard let written = Decimal(string: text.trimmingCharacters(in: .whitespaces)) else {
                return false
            }
            switch stored {
            case .integer(let number): return Decimal(number) == written
            case .real(let real):
                if let number = Int64(text) { return Int64(exactly: real) == number }
                return real.isFinite && Decimal(string: "\(real)") == written
            default: return false
            }
        case (.real(let real), .text(let text)): return Double(text) == real
        case (.integer(let number), .text(let text)): return Int64(text) == number
        case (.integer(let number), .real(let real)): return Int64(exactly: real) == number
        case (.real(let real), .integer(let number)): return Int64(exactly: real) == number
        default: return sent == stored
        }
    }

    private static func numbers() -> [Cell] {
        var random = SeededNumbers(seed: 196)
        let texts = [
            "7", "007", " 7", "7\t", "+7", "-0", "-0.0", ".5", "5.", ".", "-", "", "1e3", "1E+3",
            "1e", "1e+", "1.5e-1", "1e400", "-1e400", "1e-400", "0x10", "1_0", "7 7", "7a", "٧",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808",
            "9007199254740993", "9007199254740993.0", "12345678901234567890", "inf", "nan",
            "0.1", "0.10", "0.12345678901234567890", "0.30000000000000004", "100000000000000000000",
            "2024-01-31", "14:02", "1\u{0}2", "0e30", "1e-99999999999999999999",
        ]
        let written = (0..<500).map { _ in
            let length = Int.random(in: 1...20, using: &random)
            let digits = (0..<length).map { _ in
                "\(Int.random(in: 0...9, using: &random))"
            }.joined()
            let place = digits.index(
                digits.startIndex, offsetBy: Int.random(in: 0...length, using: &random))
            let point = Bool.random(using: &random) ? "." : ""
            let power =
                Bool.random(using: &random) ? "" : "e\(Int.random(in: -12...12, using: &random))"
            return "\(digits[..<place])\(point)\(digits[place...])\(power)"
        }
        let reals =
            (0..<300).map { _ in
                Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
            } + (0..<100).map { _ in Double(Int.random(in: 0...1_000_000, using: &random)) / 1_000 }
        return (texts + written).map { .text($0) }
            + (reals + [-0.0, .infinity, Double.leastNonzeroMagnitude]).filter { !$0.isNaN }.map {
                .real($0)
            } + ([.min, .max, (1 << 53) + 1, 1 << 60, 7] as [Int64]).map { .integer($0) }
    }

    @Test func aStoredValueIsEqualOrRefused() throws {
        let cells = Self.numbers()
        let file = try WrittenDatabase(declared: Self.types)
        let table = try Stored(in: file.folder, Self.types)
        var outcomes: [Bool: Int] = [:]
        for start in stride(from: 0, to: cells.count, by: 50) {
            let part = cells[start..<min(start + 50, cells.count)]
            let batch = part.flatMap { cell in
                Self.types.indices.map {
                    file.command(.insert([[ColumnValue(column: $0, value: cell)]]))
                }
            }
            var results = try file.commit(batch)[...]
            for cell in part {
                for (column, stored) in try table.row(cell).enumerated() {
                    let verdict = try results.removeFirst().get().verdict
                    let isRight = areEqual(cell, stored)
                    outcomes[isRight, default: 0] += 1
                    #expect(
                        verdict.isApplied == isRight,
                        "\(cell) in \(Self.types[column]) is \(stored): \(verdict)")
                }
            }
        }
        #expect(outcomes.values.allSatisfy { $0 > 500 } && outcomes.count == 2)
    }

    @Test(arguments: [
        ("1.50", "+15e-1", true), ("0e99999999999999999999", "-0.0", true), (" 7\n", "007", true),
        ("1e99999999999999999999", "1e99999999999999999998", true), ("1e2", "1e3", false),
        ("-1", "1", false), ("1e+2", "100", true), (".5", "5.", false),
    ])
    func aNumberIsWhatItsDigitsSay(one: String, other: String, areEqual: Bool) throws {
        let (one, other) = try (#require(WrittenNumber(one)), #require(WrittenNumber(other)))
        #expect((one == other) == areEqual)
    }

    /// ANY means numbers in other tables.
    @Test(arguments: [true, false]) func aStrictTableKeepsAnything(strict: Bool) throws {
        let file = try WrittenDatabase(declared: ["ANY"], isStrict: strict)
        let verdict = try file.send(.insert([.text("12345678901234567890")]))
        #expect(verdict.isApplied == strict)
        #expect(verdict.refusal == (strict ? nil : "“c0” would store it as 1.2345678901234567e+19"))
    }
}
