import Testing

/// An outcome as section 9 of PROTOCOL.md lays it out.
struct OutcomeFrame {
    var request: Int
    var revision: UInt64
    /// 0 applied, 1 conflict, 2 refused.
    var verdict: UInt8
    /// nil if the command was not applied.
    var rowIDs: [Int64]?
    /// The first conflict: its row, its kind, and all that follows.
    var conflict: (rowID: Int64, kind: UInt8, rest: [UInt8])?
    /// Rows and columns of what was refused.
    var refusals: [[Int?]] = []
    /// All fields but the request.
    var rest: [UInt8]

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        request = try fields.count()
        rest = Array(frame.payload.dropFirst(varint(request).count))
        revision = try fields.varint()
        _ = try fields.signed()
        verdict = try fields.byte()
        if verdict == 1, try fields.count() > 0 {
            let (rowID, kind) = (try fields.signed(), try fields.byte())
            conflict = (rowID, kind, fields.rest)
        }
        if verdict == 2 {
            refusals = try fields.list { fields in
                let row = try fields.count()
                let column = try fields.optional { try $0.count() }
                _ = try fields.text()
                return [row, column]
            }
            try fields.end()
        }
        guard verdict == 0 else { return }
        rowIDs = try fields.list { try $0.signed() }
        try fields.end()
    }

    func isSame(as other: OutcomeFrame) -> Bool { rest == other.rest }
}

extension RuleClient {
    func writer() throws -> [UInt8] {
        let request = ask(0x21)
        var fields = try expect(0xA1).fields
        #expect(try fields.count() == request)
        return try u64(fields.fixed(8)) + u64(fields.fixed(8))
    }

    func retire(_ writer: [UInt8]) throws {
        ask(0x25, writer)
        _ = try expect(0xA5)
    }

    /// The same from a server whose predecessor may own the file still.
    func writerAfterARestart() throws -> [UInt8] {
        while true {
            ask(0x21)
            let answer = try #require(try next())
            guard answer.kind == 0xA1 else { continue }
            var fields = answer.fields
            _ = try fields.count()
            return try u64(fields.fixed(8)) + u64(fields.fixed(8))
        }
    }

    func outcome(sourceLocation: SourceLocation = #_sourceLocation) throws -> OutcomeFrame {
        try OutcomeFrame(try expect(0xA3, sourceLocation: sourceLocation))
    }

    /// What becomes of a command that is sent now.
    func outcome(
        of command: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> OutcomeFrame {
        ask(0x23, command)
        return try outcome(sourceLocation: sourceLocation)
    }
}

/// Numbers the commands that a client sends as one writer.
final class RuleWriter {
    let client: RuleClient
    private let id: [UInt8]
    private var number = 0

    init(_ client: RuleClient) throws {
        self.client = client
        id = try client.writer()
    }

    /// - Returns: the command's request.
    @discardableResult
    func send(_ change: [UInt8], to list: String = "cars") -> Int {
        number += 1
        return client.ask(
            0x23, command(writer: id, number: number, group: number, list: list, change))
    }

    func outcome(of change: [UInt8], in list: String = "cars") throws -> OutcomeFrame {
        send(change, to: list)
        return try client.outcome()
    }
}
