import Foundation
import Testing
import ValetModel

@testable import ValetTerminal

extension ServedApp {
    /// Expects the screen to be as the literal says that stands in the call.
    ///
    /// With VALET_RENEW_SCREENS=1 the literal is written anew instead, for a person to read as a
    /// difference.
    func expectScreen(
        _ expected: String, filePath: String = #filePath,
        at location: SourceLocation = #_sourceLocation
    ) {
        let text = app.draw().text
        guard ScreenRenewal.isOn else {
            #expect(text == expected, sourceLocation: location)
            return
        }
        if text != expected { ScreenRenewal.write(text, to: filePath, line: location.line) }
    }
}

enum ScreenRenewal {
    static let isOn = ProcessInfo.processInfo.environment["VALET_RENEW_SCREENS"] == "1"

    /// By file: lines of calls whose literals were renewed, and how many lines they grew by. Tests
    /// run side by side, so files are written under the lock.
    private static let growths = Mutex<[String: [(line: Int, by: Int)]]>([:])

    static func write(_ text: String, to filePath: String, line: Int) {
        growths.withLock { growths in
            let above = growths[filePath, default: []].filter { $0.line < line }
            let file = URL(filePath: filePath)
            guard let source = try? String(contentsOf: file, encoding: .utf8),
                let renewed = renewing(
                    source, at: line + above.reduce(0) { $0 + $1.by }, with: text),
                (try? renewed.source.write(to: file, atomically: true, encoding: .utf8)) != nil
            else {
                Issue.record("no literal to renew at \(filePath):\(line)")
                return
            }
            growths[filePath, default: []].append((line, renewed.growth))
        }
    }

    /// Replaces the first literal of several lines from `line` (counted from 1) on.
    static func renewing(
        _ source: String, at line: Int, with text: String
    ) -> (source: String, growth: Int)? {
        var lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard line >= 1, line <= lines.count,
            let opening = lines[(line - 1)...].firstIndex(where: { $0.hasSuffix("\"\"\"") }),
            let closing = lines[(opening + 1)...].firstIndex(where: {
                $0.drop { $0 == " " }.hasPrefix("\"\"\"")
            })
        else { return nil }
        let indent = String(lines[closing].prefix { $0 == " " })
        let literal = text.replacing("\\", with: "\\\\")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : indent + $0 }
        lines.replaceSubrange((opening + 1)..<closing, with: literal)
        return (lines.joined(separator: "\n"), literal.count - (closing - opening - 1))
    }
}

@Test func aScreensLiteralIsRenewedWhereItStands() throws {
    let source = """
        expectScreen(first, \"""
            a
            \""")
        expectScreen(
            second,
            \"""
            b
            c
            \""")

        """
    let renewed = try #require(ScreenRenewal.renewing(source, at: 4, with: "x\\\n\n y"))
    #expect(renewed.growth == 1)
    #expect(
        renewed.source == """
            expectScreen(first, \"""
                a
                \""")
            expectScreen(
                second,
                \"""
                x\\\\

                 y
                \""")

            """)
    #expect(ScreenRenewal.renewing(source, at: 99, with: "x") == nil)
    #expect(ScreenRenewal.renewing("no literal\n", at: 1, with: "x") == nil)
}
