import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct CSVNumberTests {
    private func types(_ text: String) -> CSVTypes {
        Array(text.utf8).withUnsafeBytes { CSVTypes(of: $0) }
    }

    private func numbers(_ text: String) -> (integer: Int64?, real: Double?) {
        Array(text.utf8).withUnsafeBytes {
            let number = CSVNumber($0)
            return (number?.integer, number?.real)
        }
    }

    @Test(arguments: ["0", "-3", "42", "-0", "999999999999999", "9007199254740992"])
    func wholeNumbersThatADoubleHoldsToo(text: String) {
        #expect(types(text) == [.integer, .real])
        #expect(numbers(text).integer == Int64(text))
        #expect(numbers(text).real == Double(text))
    }

    @Test(arguments: ["9007199254740993", "9223372036854775807", "-9223372036854775808"])
    func wholeNumbersThatNoDoubleHolds(text: String) {
        #expect(types(text) == .integer)
        #expect(numbers(text).integer == Int64(text))
        #expect(numbers(text).real == nil)
    }

    @Test(arguments: [
        "0.5", "-0.5", ".5", "1.50", "1e3", "1.5E-3", "1E+3", "-0.0", "0e0", "0.1", "1e308",
        "1e-320", "5e-324", "0.30000000000000004", "123456789012345680000", "3.141592653589793",
        "1000000000000000000000", "0e999999999999999999999",
    ])
    func realsThatComeBack(text: String) {
        #expect(types(text) == .real)
        #expect(numbers(text).integer == nil)
        #expect(numbers(text).real == Double(text))
    }

    @Test(arguments: [
        "123456789012345678901", "9223372036854775808", "0.1234567890123456789", "1e400", "1e-400",
        "3.14159265358979323846", "4.9e-324", "1e99999999999999999999", "007", "00", "-01", "01.5",
        "+3", "+0.5", "1.", " 1", "1 ", "\t1\n", "\u{0B}1\u{0C}\r",
    ])
    func numbersThatWouldLoseSomething(text: String) {
        #expect(types(text).isEmpty)
        #expect(Array(text.utf8).withUnsafeBytes { CSVNumber($0) } != nil)
    }

    @Test(arguments: [
        ".", "-", "e3", "1e", "1e+", "nan", "inf", "0x10", "1,5", "1_000", "１", "--1", "1.2.3",
        "- 1", "1\u{A0}", "1\u{0}", "1 2", ".e5",
    ])
    func texts(text: String) {
        #expect(types(text).isEmpty)
        #expect(Array(text.utf8).withUnsafeBytes { CSVNumber($0) } == nil)
    }

    @Test func aColumnHoldsWhatAllItsCellsAre() {
        func declared(_ cells: String...) -> NewColumn.DeclaredType {
            cells.reduce(CSVTypes.all) { $0.intersection(types($1)) }.declared
        }
        #expect(declared() == .text)
        #expect(declared("", "") == .text)
        #expect(declared("1", "", "2") == .integer)
        #expect(declared("1", "0.5") == .real)
        #expect(declared("9007199254740993", "1") == .integer)
        #expect(declared("9007199254740993", "0.5") == .text)
        #expect(declared("1", "x") == .text)
        #expect(declared("2026-03-09", "", "2024-02-29") == .date)
        #expect(declared("2026-03-09", "2026-03-09T14:02:30+01:00") == .datetime)
        #expect(declared("2026-03-09 14:02") == .datetime)
        #expect(declared("2026-03-09", "n/a") == .text)
        #expect(declared("2026-03-09", "2026") == .text)
        #expect(declared("2026-02-30") == .text)
    }

    /// Texts of the marks that numbers are made of, in columns of every kind that wants numbers.
    @Test func sqliteTakesTheSameTextsForNumbersAndReadsBackWhatIsStored() throws {
        let folder = TemporaryFolder()
        let connection = try Connection(path: folder.file("n.db"), access: .create)
        try connection.run("CREATE TABLE t (i INTEGER, r REAL, n NUMERIC); BEGIN")
        let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
        let read = try connection.prepare("SELECT i, r, n FROM t ORDER BY rowid DESC")
        func stored() throws -> [BorrowedValue] {
            _ = try insert.step()
            insert.reset()
            read.reset()
            _ = try read.step()
            return (0..<3).map(read.value)
        }
        let seed: UInt64 = 15
        var random = SeededNumbers(seed: seed)
        let marks = Array("0001234567899..--+eE \t".utf8)
        var compared = 0
        for _ in 0..<20_000 {
            let cell = (0..<Int.random(in: 1...22, using: &random)).map { _ in
                marks.randomElement(using: &random)!
            }
            let text = String(decoding: cell, as: UTF8.self)
            try cell.withUnsafeBytes { bytes in
                for column in 0..<3 { insert.bind(text: bytes, at: column) }
                for value in try stored() {
                    #expect((Self.decimal(value) == nil) == (CSVNumber(bytes) == nil), "“\(text)”")
                }
                guard let number = CSVNumber(bytes), let real = number.real,
                    let written = Decimal(string: text), !written.isNaN
                else { return }
                if let integer = number.integer {
                    insert.bind(integer, at: 0)
                    insert.bind(integer, at: 2)
                } else {
                    for column in [0, 2] { insert.bind(real, at: column) }
                }
                insert.bind(real, at: 1)
                for value in try stored() {
                    #expect(Self.decimal(value) == written, "“\(text)”, seed \(seed)")
                    compared += 1
                }
            }
        }
        #expect(compared > 1_000)
    }

    /// What a reader sees; nil for a text.
    private static func decimal(_ value: BorrowedValue) -> Decimal? {
        switch value {
        case .integer(let number): Decimal(number)
        case .real(let real): Decimal(string: "\(real)") ?? .nan
        case .null, .text, .blob: nil
        }
    }
}
