import Testing

/// What was in a command's way, in one row.
struct ConflictFrame: Equatable {
    var rowID: Int64
    /// 0 another value, 1 a changed row, 2 a row that is gone, 3 the value that was to be set.
    var kind: UInt8 = 0
    var column: Int?
    var cell: RawCell?
    var station = ""
    var time: Int64 = 0
    var restored: RawCell?
}

/// An outcome as section 9 of PROTOCOL.md lays it out.
struct OutcomeFrame {
    var request: Int
    var revision: UInt64
    /// 0 applied, 1 conflict, 2 refused, 3 applied but for some cells, 4 and 5 those of a step.
    var verdict: UInt8
    /// The step that undo would have taken back.
    var step: UInt64?
    /// nil if the command was not applied.
    var rowIDs: [Int64]?
    var conflicts: [ConflictFrame] = []
    /// Rows and columns of what was refused, and why.
    var refusals: [[Int?]] = []
    var reasons: [String] = []
    /// All fields but the request.
    private let rest: [UInt8]

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        request = try fields.count()
        rest = fields.rest
        revision = try fields.varint()
        _ = try fields.signed()
        verdict = try fields.byte()
        if verdict > 3 { step = try fields.varint() }
        if [0, 3].contains(verdict) { rowIDs = try fields.list { try $0.signed() } }
        if [1, 3, 4].contains(verdict) {
            conflicts = try fields.list { fields in
                var conflict = ConflictFrame(rowID: try fields.signed(), kind: try fields.byte())
                if [0, 3].contains(conflict.kind) {
                    conflict.column = try fields.count()
                    conflict.cell = try RawCell(&fields)
                }
                (conflict.station, conflict.time) = (try fields.text(), try fields.signed())
                conflict.restored = try fields.optional { try RawCell(&$0) }
                return conflict
            }
        }
        if [2, 5].contains(verdict) {
            refusals = try fields.list { fields in
                let place: [Int?] = [try fields.count(), try fields.optional { try $0.count() }]
                reasons.append(try fields.text())
                return place
            }
        }
        try fields.end()
    }

    func isSame(as other: OutcomeFrame) -> Bool { rest == other.rest }
}

extension RuleClient {
    func writer() throws -> [UInt8] {
        var fields = try answer(0x21)
        return try u64(fields.fixed(8)) + u64(fields.fixed(8))
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

    func retire(_ writer: [UInt8]) throws {
        ask(0x25, writer)
        _ = try expect(0xA5)
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

    /// A command that is sent now has no outcome, but an error with this code.
    @discardableResult
    func expectError(
        _ code: Int, of command: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ErrorFrame {
        let request = ask(0x23, command)
        return try expectError(code, request: request, stream: 0, sourceLocation: sourceLocation)
    }
}

/// Numbers the commands that a client sends as one writer.
final class RuleWriter {
    let client: RuleClient
    let id: [UInt8]
    private let epoch: UInt64
    private var number = 0

    init(_ client: RuleClient, id: [UInt8]? = nil, epoch: UInt64 = 7) throws {
        self.client = client
        self.epoch = epoch
        self.id = try id ?? client.writer()
    }

    /// - Parameter inGroup: whether in that of the command before.
    /// - Returns: the command's request.
    @discardableResult
    func send(_ change: [UInt8], to list: String = "cars", inGroup: Bool = false) -> Int {
        number += 1
        let group = inGroup ? number - 1 : number
        return client.ask(
            0x23,
            command(
                writer: id, number: number, group: group, epoch: epoch, list: list, change))
    }

    func outcome(
        of change: [UInt8], in list: String = "cars", inGroup: Bool = false
    ) throws -> OutcomeFrame {
        send(change, to: list, inGroup: inGroup)
        return try client.outcome()
    }
}
