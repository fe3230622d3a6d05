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

@Test func jsonIsOneArrayAndJSONLinesAreLines() throws {
    let first = #"{"at": 0, "cells": {"name": "漢字", "n": null}}"#
    let second = #"{"at": 1, "cells": {"name": "ab", "n": 12}}"#
    #expect(try written(.json, records) == "[\n  \(first),\n  \(second)\n]\n")
    #expect(try written(.jsonl, records) == "\(first)\n\(second)\n")
}

@Test(arguments: zip(OutputFormat.allCases, ["", "", "", "[]\n", ""]))
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
