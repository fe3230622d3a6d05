import Foundation
import Testing
import ValetModel

@testable import ValetCommands

private let records: [OutputRecord] = [
    [
        ("at", .integer(0)),
        ("cells", .object([("name", .cell(.text("漢字"))), ("n", .cell(.null))])),
    ],
    [
        ("at", .integer(1)),
        ("cells", .object([("name", .cell(.text("ab"))), ("n", .cell(.integer(12)))])),
    ],
]

@Test func aTableIsAlignedByWidth() throws {
    #expect(
        try written(.table, records) == """
            at  name   n
            ──  ────  ──
             0  漢字   \u{20}
             1  ab    12

            """)
}

@Test func longValuesAreCutInATable() throws {
    let long = String(repeating: "漢", count: 30)
    let lines = try written(.table, [[("name", .text(long)), ("n", .integer(1))]])
        .split(separator: "\n")
    #expect(lines[2] == String(repeating: "漢", count: 19) + "…   1")
}

@Test func theWidthsOfATableAreThoseOfItsBeginning() throws {
    var many = (0..<200).map { _ -> OutputRecord in [("a", .text("x")), ("b", .text("y"))] }
    many.append([("a", .text("wide")), ("b", .text("z"))])
    let lines = try written(.table, many).split(separator: "\n")
    #expect(lines.count == 203)
    #expect(lines[2] == "x  y")
    #expect(lines[202] == "wide  z")
}

@Test func plainHasOneLineARowWhateverIsInTheData() throws {
    let hostile = "a\tb\nc\r\n\u{1B}[31md\u{9B}e\u{2028}f"
    let text = try written(.plain, [[("a", .text(hostile)), ("b", .cell(.text(hostile)))]])
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
    #expect(text.split(separator: "\t", omittingEmptySubsequences: false).count == 2)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 })
    #expect(text.hasPrefix("a␉b␊c␍␊␛[31md\u{FFFD}e·f\t"))
}

@Test(arguments: [OutputFormat.table, .plain])
func noEscapeSequenceGetsOut(format: OutputFormat) throws {
    let hostile = "\u{1B}]52;c;AAAA\u{7}\u{9D}0;x\u{9C}\u{1B}[2J"
    let text = try written(format, [[(hostile, .text(hostile)), ("b", .cell(.text(hostile)))]])
    let isSteering = { (scalar: Unicode.Scalar) in
        scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
            || (0x7F..<0xA0).contains(scalar.value)
    }
    #expect(!text.unicodeScalars.contains(where: isSteering))
}

@Test func csvQuotesWhatNeedsIt() throws {
    let text = try written(
        .csv,
        [
            [
                ("plain", .text("a b")), ("comma,", .text("a,b")), ("quote", .text("a\"b")),
                ("line", .text("a\nb")), ("return", .text("a\rb")), ("both", .text("a\r\nb")),
                ("null", .null), ("path", .list([.integer(1), .integer(2)])),
            ]
        ])
    #expect(
        text == "plain,\"comma,\",quote,line,return,both,null,path\n"
            + "a b,\"a,b\",\"a\"\"b\",\"a\nb\",\"a\rb\",\"a\r\nb\",,\"1,2\"\n")
}

/// A quote with a combining mark behind it is one character, and still a quote.
@Test func csvDoublesEveryQuote() throws {
    let text = try written(.csv, [[("a", .text("x\"\u{301},y"))]])
    #expect(text.utf8.elementsEqual("a\n\"x\"\"\u{301},y\"\n".utf8))
}

@Test func csvNamesItsColumnsOnce() throws {
    #expect(try written(.csv, records) == "at,name,n\n0,漢字,\n1,ab,12\n")
}

@Test func tabsPartTheFieldsOfTSV() throws {
    #expect(try written(.tsv, records) == "at\tname\tn\n0\t漢字\t\n1\tab\t12\n")
    let odd: OutputRecord = [("a\tb", .text("x\ty")), ("c", .text("1,2 \"q\""))]
    #expect(try written(.tsv, [odd]) == "\"a\tb\"\tc\n\"x\ty\"\t\"1,2 \"\"q\"\"\"\n")
}

@Test func jsonIsOneArrayAndJSONLinesAreLines() throws {
    let first = #"{"at": 0, "cells": {"name": "漢字", "n": null}}"#
    let second = #"{"at": 1, "cells": {"name": "ab", "n": 12}}"#
    #expect(try written(.json, records) == "[\n  \(first),\n  \(second)\n]\n")
    #expect(try written(.jsonl, records) == "\(first)\n\(second)\n")
}

@Test(arguments: zip(OutputFormat.allCases, ["", "", "", "", "[]\n", ""]))
func nothingIsAnAnswerToo(format: OutputFormat, text: String) throws {
    #expect(try written(format, []) == text)
}

@Test(arguments: [
    (Cell.blob(bytes: [], byteCount: 12), "(12 bytes)"), (.cutText("abc", byteCount: 9), "abc…"),
    (.malformedText(bytes: [0x61, 0xFF], byteCount: 2), "a\u{FFFD}"),
    (.malformedText(bytes: [0x61, 0xFF], byteCount: 9), "a\u{FFFD}…"), (.null, ""),
    (.real(2.5), "2.5"), (.integer(-3), "-3"),
])
func aValueWithoutATextIsSaidInWords(cell: Cell, text: String) {
    #expect(cell.plainText == text)
}

@Test func aCSVWithoutRowsHasItsHeader() throws {
    #expect(try written(.csv, [], names: ["at", "a,b"]) == "at,\"a,b\"\n")
    #expect(try written(.csv, records, names: ["at", "name", "n"]).hasPrefix("at,name,n\n0,"))
    for format in [OutputFormat.table, .plain, .jsonl] {
        #expect(try written(format, [], names: ["at"]) == "")
    }
    #expect(try written(.json, [], names: ["at"]) == "[]\n")
}

@Test func namesInOneHeaderDiffer() {
    #expect(RecordWriter.distinct(["at", "id", "ID", "b"]) == ["at", "_id", "ID", "b"])
    #expect(RecordWriter.distinct(["id", "_ID", "id"]) == ["__id", "_ID", "id"])
    #expect(RecordWriter.distinct([]) == [])
}

@Test func fieldsKeepTheirOrderAndForm() {
    let record: OutputRecord = [
        ("at", .integer(3)), ("section", .text("BMW")),
        ("path", .list([.integer(1), .integer(2)])),
        ("id", .cell(.integer(7))),
        ("cells", .object([("z", .cell(.text("é"))), ("a", .cell(.null))])),
        ("editable", .bool(false)), ("none", .optional(nil as String?)), ("empty", .list([])),
    ]
    #expect(
        JSON.text(record) == #"{"at": 3, "section": "BMW", "path": [1, 2], "id": 7, "#
            + #""cells": {"z": "é", "a": null}, "editable": false, "none": null, "empty": []}"#)
}

@Test(arguments: [
    (Cell.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
    (.integer(9_007_199_254_740_993), "9007199254740993"),
    (.real(0.1), "0.1"), (.real(3), "3.0"), (.real(1e300), "1e+300"), (.real(-0.0), "-0.0"),
    (.real(.infinity), "1e999"), (.real(-.infinity), "-1e999"), (.real(.nan), "null"),
    (.null, "null"), (.text(""), #""""#),
    (.blob(bytes: [0, 255], byteCount: 2), #"{"blob": "AP8="}"#),
    (.blob(bytes: [], byteCount: 0), #"{"blob": ""}"#),
    (.blob(bytes: [], byteCount: 17), #"{"blob": "", "byteCount": 17}"#),
    (
        .malformedText(bytes: [0x61, 0xFF, 0x62], byteCount: 3),
        "{\"text\": \"a\u{FFFD}b\", \"bytes\": \"Yf9i\"}"
    ),
])
func aCellIsWrittenWhole(cell: Cell, json: String) {
    #expect(JSON.text(.cell(cell)) == json)
}

@Test func aSumBeyond64BitsIsWrittenExactly() {
    #expect(JSON.text(.whole(Int128(Int64.max) * 4)) == "36893488147419103228")
    #expect(OutputValue.whole(Int128.min).plainText == String(Int128.min))
}

@Test func everyScalarThatCouldSteerATerminalIsEscaped() throws {
    for value in UInt32(0)..<0x3000 {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let json = JSON.text(.text("a\(scalar)b"))
        let isControl = value < 0x20 || (0x7F..<0xA0).contains(value)
        #expect(!(isControl && json.unicodeScalars.contains(scalar)))
        let back = try JSONSerialization.jsonObject(
            with: Data(json.utf8), options: .fragmentsAllowed)
        #expect((back as? String).map { Array($0.utf8) } == Array("a\(scalar)b".utf8))
    }
}

@Test(arguments: [
    ("\"", #""\"""#), ("\\", #""\\""#), ("\n\r\t", #""\n\r\t""#), ("\u{1B}[2J", #""\u001b[2J""#),
    ("\u{0}", #""\u0000""#), ("\u{9B}", #""\u009b""#), ("\u{202E}", #""\u202e""#),
    ("/", #""/""#), ("🐎", #""🐎""#), ("e\u{301}", "\"e\u{301}\""), ("\r\n", #""\r\n""#),
])
func textIsEscaped(text: String, json: String) {
    #expect(JSON.text(.text(text)).utf8.elementsEqual(json.utf8))
}

@Test func namesAreEscapedToo() {
    #expect(JSON.text([("a\"\u{1B}", .null)]) == #"{"a\"\u001b": null}"#)
}
