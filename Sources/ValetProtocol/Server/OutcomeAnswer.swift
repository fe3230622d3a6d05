import NIOCore
import ValetModel

/// What became of a command.
///
/// ```
/// varint   request
/// varint   revision
/// signed   time in microseconds since 1970, UTC
/// u8 0     applied: list signed row id
/// u8 1     conflict: list (signed row id, theirs, text station, signed time, optional cell)
/// u8 2     refused: list (varint row of the command, optional varint column, text message)
/// u8 3     applied but for: list signed row id, list as of a conflict
/// u8 4     conflict of a step: varint revision of the step, list as of a conflict
/// u8 5     refusal of a step: varint revision of the step, list as of a refusal
/// ```
/// Theirs is u8: 0 varint column and cell, 1 the row was changed, 2 the row was deleted, 3 varint
/// column and cell, which holds what the command sets already.
package struct OutcomeAnswer: Message {
    package static let kind = FrameKind.outcome

    package var request: UInt32
    package var outcome: Outcome

    package init(request: UInt32, outcome: Outcome) {
        self.request = request
        self.outcome = outcome
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(outcome.revision)
        payload.writeSigned(outcome.time)
        outcome.verdict.write(into: &payload, step: outcome.step)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        let (revision, time) = (try payload.varint(), try payload.signed())
        var step: UInt64?
        let verdict = try Verdict(reading: &payload, step: &step)
        outcome = Outcome(revision: revision, time: time, verdict: verdict, step: step)
    }
}

extension Verdict {
    fileprivate func write(into payload: inout ByteBuffer, step: UInt64?) {
        switch self {
        case .applied(let rowIDs):
            payload.writeByte(0)
            payload.writeList(rowIDs) { $0.writeSigned($1) }
        case .conflict(let conflicts):
            payload.writeByte(step == nil ? 1 : 4)
            if let step { payload.writeVarint(step) }
            payload.writeProblems(conflicts)
        case .refused(let refusals):
            payload.writeByte(step == nil ? 2 : 5)
            if let step { payload.writeVarint(step) }
            payload.writeProblems(refusals)
        case .appliedButFor(let rowIDs, let rest):
            payload.writeByte(3)
            payload.writeList(rowIDs) { $0.writeSigned($1) }
            payload.writeProblems(rest)
        }
    }

    fileprivate init(reading payload: inout PayloadReader, step: inout UInt64?) throws(ValetError) {
        let kind = try payload.byte()
        if kind == 4 || kind == 5 { step = try payload.varint() }
        switch kind {
        case 0: self = .applied(rowIDs: try payload.rowIDs())
        case 1, 4: self = .conflict(try payload.problems("conflicts"))
        case 2, 5: self = .refused(try payload.problems("refusals"))
        case 3:
            self = .appliedButFor(rowIDs: try payload.rowIDs(), try payload.problems("conflicts"))
        case let other: throw PayloadReader.malformed("\(other) is no verdict")
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func writeProblems(_ problems: [some Field]) {
        writeList(Array(problems.prefix(Limits.problemsPerOutcome)))
    }
}

extension PayloadReader {
    fileprivate mutating func problems<Problem: Field>(
        _ what: String
    ) throws(ValetError) -> [Problem] {
        try list(of: what, limit: Limits.problemsPerOutcome)
    }

    fileprivate mutating func rowIDs() throws(ValetError) -> [Int64] {
        try list(of: "rows", limit: Limits.rowsPerUndo) { payload throws(ValetError) in
            try payload.signed()
        }
    }
}

extension Conflict: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeSigned(rowID)
        switch theirs {
        case .cell(let cell): payload.writeCase(0) { cell.writeCut(into: &$0) }
        case .rowChanged: payload.writeByte(1)
        case .rowDeleted: payload.writeByte(2)
        case .alreadySo(let cell): payload.writeCase(3) { cell.writeCut(into: &$0) }
        }
        payload.writeText(station.cut(toBytes: Limits.bytesPerName))
        payload.writeSigned(time)
        payload.writeOptional(restored) { $1.writeCut(into: &$0) }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            rowID: try payload.signed(), theirs: try Theirs(reading: &payload),
            station: try payload.name("station name"), time: try payload.signed(),
            restored: try payload.optional { payload throws(ValetError) in
                try Cell(readingCut: &payload)
            })
    }
}

extension Conflict.Theirs {
    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .cell(try ColumnValue(readingCut: &payload))
        case 1: self = .rowChanged
        case 2: self = .rowDeleted
        case 3: self = .alreadySo(try ColumnValue(readingCut: &payload))
        case let other: throw PayloadReader.malformed("\(other) is no kind of conflict")
        }
    }
}

extension ColumnValue {
    fileprivate func writeCut(into payload: inout ByteBuffer) {
        payload.writeCount(column)
        value.writeCut(into: &payload)
    }

    fileprivate init(readingCut payload: inout PayloadReader) throws(ValetError) {
        self.init(column: try payload.count(), value: try Cell(readingCut: &payload))
    }
}

extension Refusal: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeCount(row)
        payload.writeOptionalCount(column)
        payload.writeText(message.cut(toBytes: Limits.bytesPerMessage))
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            row: try payload.count(),
            column: try payload.optionalCount(),
            message: try payload.text("message", limit: Limits.bytesPerMessage))
    }
}
