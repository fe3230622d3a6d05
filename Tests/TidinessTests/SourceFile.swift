import Foundation

/// A text file of the repository, as the checks see it: they are functions of path and text, so a
/// test can show them a bad one.
struct SourceFile {
    /// From the top of the repository: `Sources/ValetModel/Cell.swift`.
    var path: String
    var text: String

    /// Numbered from 1. Split by byte: a carriage return with its line feed is one `Character`.
    var lines: [(number: Int, text: Substring)] {
        text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset + 1, Substring($0.element)) }
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isTest: Bool { path.hasPrefix("Tests/") }

    /// `Scripts/…` begin the tables that they make with this line.
    var isGenerated: Bool { text.hasPrefix("// Made by Scripts/") }

    /// The folder under Sources or Tests; nil outside.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && (parts[0] == "Sources" || parts[0] == "Tests")
            ? String(parts[1]) : nil
    }

    /// Complaints about the lines that hold `pattern`.
    func complaints(where pattern: String, _ message: String) -> [Complaint] {
        // Most files have no such line, and splitting into lines is what costs.
        guard text.utf8Contains(pattern) else { return [] }
        return lines.filter { $0.text.utf8Contains(pattern) }
            .map { Complaint(path: path, line: $0.number, message: message) }
    }
}

struct Complaint: Equatable, CustomStringConvertible {
    var path: String
    /// nil for the whole file.
    var line: Int? = nil
    var message: String

    var description: String {
        line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
    }
}

extension StringProtocol {
    /// `contains` over bytes, by the C library: a debug build of ours would be far slower, and the
    /// gate reads every line.
    /// `pattern` must not be empty.
    func utf8Contains(_ pattern: String) -> Bool {
        var text = String(self)
        var pattern = pattern
        return text.withUTF8 { text in
            pattern.withUTF8 { pattern in
                guard let start = text.baseAddress, let wanted = pattern.baseAddress else {
                    return false
                }
                let end = start + text.count
                var next = start
                while end - next >= pattern.count,
                    let found = memchr(next, Int32(wanted[0]), end - next - pattern.count + 1)
                {
                    if memcmp(found, wanted, pattern.count) == 0 { return true }
                    next = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
                }
                return false
            }
        }
    }
}
