import Foundation
import TestSupport
import Testing

/// A server's log after clients that want to write it themselves.
@Suite(.runsPrograms) struct HostileLogTests {
    private let scratch = Scratch()
    private let folder = TemporaryFolder()

    @Test(arguments: ["text", "json"]) func eachLineIsOneEventAndNoneIsAClients(
        format: String
    ) throws {
        let token = try folder.token(for: "gate-a")
        let daemon = try Daemon(
            .valetd,
            [
                "serve", scratch.cars(), "--listen", "127.0.0.1:0", "--tokens",
                folder.principalsPath, "--log", "debug", "--log-format", format,
            ], in: scratch)
        let port = try #require(Int(daemon.port))
        // As long as somebody is inside, an address may try as often as it likes.
        let guest = try BlockingSocket(port: port)
        guest.send(Frames.hello("guest", token: token.bytes))
        _ = try guest.read()
        var numbers = SystemRandomNumberGenerator()
        let wrong = (0..<32).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        for text in HostileText.events {
            for bytes in Frames.strangers(text, wrong: wrong) + Frames.guests(text, token.bytes) {
                let client = try BlockingSocket(port: port)
                client.send(bytes)
                // The server ends each of them.
                while try !client.read().isEmpty {}
            }
        }
        withExtendedLifetime(guest) {}
        #expect(try daemon.end() == 0)
        let log = daemon.logText
        for secret in Self.writings(of: token.bytes) + Self.writings(of: wrong) {
            #expect(!log.contains(secret))
        }
        let events = try Self.events(of: log, format)
        for words in ["listening", "turned away", "refused", "closing", "stopped"] {
            #expect(events.contains { $0["message"] == words }, "no “\(words)” in:\n\(log)")
        }
        #expect(events.allSatisfy { $0["message"]?.contains("forged") == false })
        // What clients say is there, within the values of events.
        let reasons = events.compactMap { $0["reason"] }.filter { $0.contains("forged") }
        #expect(reasons.count > HostileText.events.count)
    }

    /// What of a token, or of its hash, must not be in a log.
    private static func writings(of token: [UInt8]) -> [String] {
        [token, sha256(token)].flatMap { bytes in
            let base64 = Data(bytes).base64EncodedString()
            let inAddresses = base64.replacing("+", with: "-").replacing("/", with: "_")
            let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            return [base64, inAddresses, hex.joined(), "\(bytes)"].map { String($0.prefix(40)) }
        }
    }

    private static let levels: Set = ["debug", "info", "warning", "error"]
    private static let keys: Set = [
        "time", "level", "message", "address", "clients", "code", "connection", "error", "kind",
        "milliseconds", "peer", "principal", "reason", "request",
    ]

    /// The events of a log's lines, each with the keys that events have.
    private static func events(of log: String, _ format: String) throws -> [[String: String]] {
        #expect(log.hasSuffix("\n"))
        #expect(!log.unicodeScalars.contains { isUnsafe($0) })
        // Not `isNewline`, which other characters are, too.
        let lines = log.utf8.split(separator: UInt8(ascii: "\n")).map { String($0) ?? "" }
        return try lines.map { line in
            let event = format == "json" ? try object(of: line) : try fields(of: line)
            #expect(event["level"].map(levels.contains) == true, "\(line)")
            #expect(event["time"]?.wholeMatch(of: time) != nil, "\(line)")
            #expect(keys.isSuperset(of: event.keys), "\(line)")
            return event
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n"
        case .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }

    private static var time: Regex<Substring> { /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/ }

    private static func object(of line: String) throws -> [String: String] {
        let event = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        // A decoder takes the last of two fields of a name.
        let names = line.matches(of: /(?:\{|, )"(\w+)": (?="(?:[^"\\]|\\.)*"(?:, "\w+": |\}$))/)
        #expect(names.count == event.count, "\(line)")
        return event
    }

    /// Time, level, words, and fields whose values are words or in quotes.
    private static func fields(of line: String) throws -> [String: String] {
        let field = /\ (\w+)=("(?:[^"\\]|\\.)*"|[^\ "]+)/
        let parts = try #require(
            line.wholeMatch(of: /(\S+) (\w+) ([^=]*?)((?: \w+=(?:"(?:[^"\\]|\\.)*"|[^ "]+))*)/),
            "\(line)"
        ).output
        var event = [
            "time": String(parts.1), "level": String(parts.2), "message": String(parts.3),
        ]
        for match in parts.4.matches(of: field) {
            let before = event.updateValue(String(match.2), forKey: String(match.1))
            #expect(before == nil, "\(line)")
        }
        return event
    }
}

/// What a client sends that wants to be found in the log.
private enum Frames {
    private static let (helloKind, openView, detailRequest): (UInt8, UInt8, UInt8) =
        (0x01, 0x05, 0x13)

    /// Of clients that the server does not know: the conversation ends with the first frame.
    static func strangers(_ text: String, wrong: [UInt8]) -> [[UInt8]] {
        [
            hello(text, token: nil), hello(text, token: wrong),
            hello(text, token: Array(text.utf8)),
            Array(text.utf8), frame(helloKind, Array(text.utf8)), frame(0xFF, Array(text.utf8)),
        ]
    }

    /// Of clients that it knows, which end with a frame that is none.
    static func guests(_ name: String, _ token: [UInt8]) -> [[UInt8]] {
        let requests =
            frame(openView, stream: 1, open(list: name))
            + frame(openView, stream: 2, open(list: "cars", grouping: name))
            + frame(openView, stream: 3, open(list: "cars", column: name))
            + frame(openView, stream: 4, open(list: "cars", column: "town", value: name))
            + frame(detailRequest, [9] + text(name) + [2])
        let ends = [
            frame(0xFD, text(name)), frame(detailRequest, [9] + text(name)),
            hello(name, token: token), [0xFF, 0xFF, 0xFF, 0x7F] + Array(name.utf8),
        ]
        return ends.map { hello(name, token: token) + requests + $0 }
    }

    static func hello(_ name: String, token: [UInt8]?) -> [UInt8] {
        let station = [UInt8](repeating: 1, count: 16) + text(name)
        let parameters = token.map { [1, 1] + count($0.count) + $0 } ?? [0]
        return frame(helloKind, Array("VALT".utf8) + [1, 1, 0, 100] + station + parameters)
    }

    /// - Parameter column: of the only condition, if there is one.
    private static func open(
        list: String, grouping: String? = nil, column: String? = nil, value: String = "x"
    ) -> [UInt8] {
        let condition = column.map { [1] + text($0) + [0, 1, 3] + text(value) } ?? [0]
        let query = (grouping.map { [1] + text($0) } ?? [0]) + [0, 0, 0] + condition
        return [7, 1] + text(list) + [0] + query + [0]
    }

    private static func frame(_ kind: UInt8, stream: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
        return length + [kind, 0, stream, 0] + payload
    }

    private static func text(_ text: String) -> [UInt8] { count(text.utf8.count) + text.utf8 }

    private static func count(_ value: Int) -> [UInt8] {
        precondition(value < 1 << 14, "two bytes are enough for all that is sent")
        return value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128), UInt8(value >> 7)]
    }
}
