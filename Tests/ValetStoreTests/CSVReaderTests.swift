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
        let error = failure { _ = try rows(Array((most + ",").utf8)) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [1, 5, 100]) func aFieldBeyondTheLimitIsRefused(chunk: Int) throws {
        func refusal(_ text: String) -> ErrorCode? {
            failure { _ = try rows(Array(text.utf8), chunk: chunk, bytesPerField: 8) }?.code
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
