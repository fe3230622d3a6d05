import Foundation

/// A file of golden frames: cases, each a name between `==` and the frame's bytes in hex. What
/// follows a `#` is for people.
struct VectorFile {
    struct Case {
        let name: String
        let bytes: [UInt8]
        /// The lines as they stand in the file.
        let text: String
    }

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Proto")

    static var isRenewing: Bool {
        ProcessInfo.processInfo.environment["VALET_RENEW_VECTORS"] == "1"
    }

    static func url(_ name: String) -> URL {
        folder.appending(path: "Vectors/\(name).hex")
    }

    /// The file's cases; nil when a line is not hex.
    static func read(_ name: String) throws -> [Case]? {
        let text = try String(contentsOf: url(name), encoding: .utf8)
        var cases: [Case] = []
        var (title, bytes, lines): (String?, [UInt8], [Substring]) = (nil, [], [])
        func finish() {
            guard let title else { return }
            let text = lines.joined(separator: "\n")
            cases.append(Case(name: title, bytes: bytes, text: text))
        }
        for line in text.split(separator: "\n") {
            if line.hasPrefix("== ") {
                finish()
                (title, bytes, lines) = (String(line.dropFirst(3).dropLast(3)), [], [])
                continue
            }
            lines.append(line)
            for pair in line.prefix(while: { $0 != "#" }).split(separator: " ") {
                guard pair.count == 2, let byte = UInt8(pair, radix: 16) else { return nil }
                bytes.append(byte)
            }
        }
        finish()
        return cases
    }

    static func write(_ name: String, title: String, _ cases: [(name: String, text: String)]) throws
    {
        let body = cases.map { "\n== \($0.name) ==\n\($0.text)\n" }.joined()
        try "# \(title)\n\(body)".write(to: url(name), atomically: true, encoding: .utf8)
    }
}

/// A frame as a vector file shows it: a field a line, long ones on several.
enum FrameText {
    static func make(_ frame: [UInt8], _ pieces: [Dissection.Piece]? = nil) -> String {
        let length = frame.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        var lines = [
            line(frame[0..<4], "length = \(length)"), line(frame[4..<5], "kind"),
            line(frame[5..<6], "flags"),
            line(frame[6..<8], "stream = \(Int(frame[6]) | Int(frame[7]) << 8)"),
        ]
        for piece in pieces ?? Dissection(frame: frame).pieces {
            let range = piece.range.lowerBound + 8..<piece.range.upperBound + 8
            lines.append(line(frame[range], piece.label + printable(piece.value)))
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static let bytesPerLine = 16

    private static func line(_ bytes: ArraySlice<UInt8>, _ comment: String) -> String {
        let starts = stride(from: bytes.startIndex, to: bytes.endIndex, by: bytesPerLine)
        let rows = starts.map { start in
            bytes[start..<min(start + bytesPerLine, bytes.endIndex)]
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        }
        guard let first = rows.first else { return "" }
        let padding = String(repeating: " ", count: max(0, 3 * 8 - 1 - first.count))
        return (["\(first)\(padding)  # \(comment)"] + rows.dropFirst()).joined(separator: "\n")
    }

    private static func printable(_ value: String) -> String {
        let short = value.unicodeScalars.count > 60 ? String(value.prefix(40)) + "…" : value
        return String(String.UnicodeScalarView(short.unicodeScalars.filter { $0.value >= 0x20 }))
    }
}
