import Foundation
import Testing
import ValetModel

@testable import ValetCommands

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
