import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct CSVReaderTests {
    /// The rows of a file that comes in chunks of `chunk` bytes.
    private func rows(
        _ bytes: [UInt8], chunk: Int = 1 << 20, bytesPerField: Int = Limits.bytesPerCSVField
    ) throws -> [[String]] {
        var reader = CSVReader(file: "f.csv", bytesPerField: bytesPerField)
        var rows: [[String]] = []
        func take(_ reader: CSVReader) {
            rows.append((0..<reader.fieldCount).map { reader.text($0) })
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            try Array(rest.prefix(chunk)).withUnsafeBytes {
                var input = $0
                while try reader.readRow(from: &input) { take(reader) }
            }
            rest = rest.dropFirst(chunk)
        }
        if try reader.finish() { take(reader) }
        return rows
    }

    private func rows(_ text: String) throws -> [[String]] {
        let whole = try rows(Array(text.utf8))
        for chunk in 1...3 {
            #expect(try rows(Array(text.utf8), chunk: chunk) == whole)
        }
        return whole
    }

    private func message(_ text: String) -> String? {
        let whole = failure { _ = try rows(Array(text.utf8)) }?.message
        let dribbled = failure { _ = try rows(Array(text.utf8), chunk: 1) }?.message
        #expect(whole == dribbled)
        return whole
    }

    @Test(
        arguments: [
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
            // The last line needs no end.
            ("a,b\n1,2", [["a", "b"], ["1", "2"]]), ("a\n\"x\"", [["a"], ["x"]]),
            ("a,b\n1,", [["a", "b"], ["1", ""]]), ("", []), ("\u{FEFF}", []),
            // Every kind of line end is one.
            ("a\r\nb\rc\nd\r\n", [["a"], ["b"], ["c"], ["d"]]),
            ("a\n\r\n\rb", [["a"], [""], [""], ["b"]]),
            // In quotes, commas and line ends stay in the field.
            ("\"a,b\",c\n", [["a,b", "c"]]),
            ("\"a\nb\",\"c\r\nd\",\"\r\"\n\"\n\"", [["a\nb", "c\r\nd", "\r"], ["\n"]]),
            ("\"a\"\"b\",\"\"\"\",\"\"\n", [["a\"b", "\"", ""]]),
            // A byte order mark is skipped at the beginning only.
            ("\u{FEFF}\"a\",b\n\u{FEFF}c,d", [["a", "b"], ["\u{FEFF}c", "d"]]),
            ("！,b", [["！", "b"]]),
        ] as [(String, [[String]])])
    func textsAreRowsOfFields(text: String, expected: [[String]]) throws {
        #expect(try rows(text) == expected)
    }

    @Test func blankLinesAreSeen() throws {
        var reader = CSVReader(file: "f.csv")
        var isBlank: [Bool] = []
        try Array("\n\"\"\na\n,\n".utf8).withUnsafeBytes {
            var input = $0
            while try reader.readRow(from: &input) { isBlank.append(reader.isBlank) }
        }
        #expect(isBlank == [true, false, false, false])
    }

    @Test(arguments: [
        (
            "a,b\né,x\"y\n",
            "line 2, column 4: a quote inside a field: put the whole field in quotes, and double "
                + "this one"
        ),
        (
            "a\r\n\"two\r\nlinés\" ,b\n",
            "line 3, column 7: text after a closing quote: a quote inside a field must be doubled"
        ),
        (
            "a,b\n1,\"x\n2,y\n3,z\n",
            "line 2, column 3: a quote that is opened here is never closed"
        ),
    ])
    func aWrongQuoteIsRefusedWithItsPlace(text: String, rest: String) {
        #expect(message(text) == "“f.csv”, " + rest)
    }

    @Test func textThatIsNotUTF8IsRefusedWithItsLine() {
        let error = failure { _ = try rows(Array("a,b\n1,".utf8) + [0xFF, 0x0A]) }
        #expect(
            error?.message == "“f.csv”, line 2: field 2 is not UTF-8 text: save the file as UTF-8")
        // Halves of one scalar in two fields are no text either.
        #expect(failure { _ = try rows([0xC3, 0x2C, 0xA9, 0x0A]) } != nil)
        // A file in UTF-16.
        let wide = failure { _ = try rows([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00]) }
        #expect(wide?.message.hasPrefix("“f.csv”, line 1: field 1 is not UTF-8") == true)
        #expect(failure { _ = try rows([0xEF, 0xBB, 0x61]) } != nil)
    }

    @Test func tooManyFieldsAreRefused() throws {
        let most = String(repeating: ",", count: Limits.columnsPerCSV - 1)
        #expect(try rows(Array(most.utf8))[0].count == Limits.columnsPerCSV)
        expectFailure(.limitExceeded) { try rows(Array((most + ",").utf8)) }
    }

    @Test(arguments: [1, 5, 100]) func aFieldBeyondTheLimitIsRefused(chunk: Int) throws {
        func refusal(_ text: String) -> ErrorCode? {
            failure { try rows(Array(text.utf8), chunk: chunk, bytesPerField: 8) }?.code
        }
        #expect(refusal("12345678,12345678\n") == nil)
        #expect(refusal("1,123456789\n") == .limitExceeded)
        #expect(refusal("\"1234567\"\"\"") == nil)
        #expect(refusal("\"123\n56789") == .limitExceeded)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func aWrittenFileIsReadBack(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        let parts = ["a", "é", "🚗", ",", "\"", "\n", "\r", "\r\n", " ", "x,y", "\0", "\u{FEFF}"]
        for _ in 0..<200 {
            let width = Int.random(in: 1...4, using: &generator)
            let table = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                (0..<width).map { _ in
                    (0..<Int.random(in: 0...4, using: &generator))
                        .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
                }
            }
            let text = table.map { row in
                row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            }.joined(separator: "\r\n")
            let chunk = Int.random(in: 1...8, using: &generator)
            #expect(try rows(Array(text.utf8), chunk: chunk) == table, "seed \(seed)")
        }
    }

    @Test(arguments: [11, 12] as [UInt64]) func anyBytesEndInRowsOrAnError(seed: UInt64) {
        var generator = SeededNumbers(seed: seed)
        let likely = Array("\",\r\nab".utf8) + [0xC3, 0xA9, 0xEF, 0xBB, 0xBF]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                likely.randomElement(using: &generator) ?? 0
            }
            let whole = Result { try rows(bytes) }
            let dribbled = Result { try rows(bytes, chunk: 1) }
            #expect("\(whole)" == "\(dribbled)", "seed \(seed): \(bytes)")
        }
    }
}

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

    @Test(arguments: [
        ("0", true), ("-3", true), ("42", true), ("-0", true), ("999999999999999", true),
        ("9007199254740992", true), ("9007199254740993", false), ("9223372036854775807", false),
        ("-9223372036854775808", false),
    ])
    func wholeNumbersAreRealsWhereADoubleHoldsThem(text: String, isReal: Bool) {
        let expected: CSVTypes = isReal ? [.integer, .real] : .integer
        #expect(types(text) == expected)
        #expect(numbers(text).integer == Int64(text))
        #expect(numbers(text).real == (isReal ? Double(text) : nil))
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
        var random = SeededNumbers(seed: 15)
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
                    #expect(Self.decimal(value) == written, "“\(text)”")
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
