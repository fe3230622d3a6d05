import NIOCore
import ValetModel
import ValetProtocol

/// What one node asks another, by its name.
///
/// ```
/// u8 1      a command: a `ForwardedCommand`
/// u8 2      a copy of the file, which takes a while to make: u64 place in the log, behind which
///           the copy has to be
/// u8 3      blocks of that: sized digest of the copy, varint first block
/// u8 4      to lead no longer
/// ```
enum NodeQuestion: Hashable, Sendable {
    case command(ForwardedCommand)
    /// Of more than a place in the log.
    case copy(behind: UInt64)
    /// As many as there are, and as go into one answer.
    case blocks(ofCopy: [UInt8], from: Int)
    case stepDown

    var bytes: [UInt8] {
        var bytes = ByteBuffer()
        switch self {
        case .command(let command):
            bytes.writeByte(1)
            bytes.writeBytes(command.bytes)
        case .copy(let place):
            bytes.writeByte(2)
            bytes.writeFixed64(place)
        case .blocks(let digest, let first):
            bytes.writeByte(3)
            bytes.writeSized(digest)
            bytes.writeCount(first)
        case .stepDown: bytes.writeByte(4)
        }
        return Array(buffer: bytes)
    }

    init(_ bytes: [UInt8]) throws(ValetError) {
        guard let kind = bytes.first else { throw PayloadReader.malformed("nothing was asked") }
        if kind == 1 {
            self = .command(try ForwardedCommand(Array(bytes.dropFirst())))
            return
        }
        var payload = PayloadReader(ByteBuffer(bytes: bytes.dropFirst()))
        switch kind {
        case 2: self = .copy(behind: try payload.fixed64())
        case 3: self = .blocks(ofCopy: try payload.digest(), from: try payload.count())
        case 4: self = .stepDown
        default: throw Self.isUnknown
        }
        try payload.finish()
    }

    static let isUnknown = ValetError(
        .unexpected, "the cluster's nodes are of versions that don't understand each other")
}

/// What a node answers.
///
/// ```
/// u8 0      what was asked for
/// u8 1      an error: that frame's payload
/// ```
struct NodeAnswer<Value: AnsweredValue>: Sendable {
    let result: Result<Value, ValetError>

    init(_ result: Result<Value, ValetError>) { self.result = result }

    var bytes: [UInt8] {
        var bytes = ByteBuffer()
        switch result {
        case .success(let value):
            bytes.writeByte(0)
            value.write(into: &bytes)
        case .failure(let error):
            bytes.writeByte(1)
            ErrorAnswer(request: 0, error: error).write(into: &bytes)
        }
        return Array(buffer: bytes)
    }

    init(_ bytes: [UInt8]) throws(ValetError) {
        var payload = PayloadReader(ByteBuffer(bytes: bytes))
        switch try payload.byte() {
        case 0: result = .success(try Value(reading: &payload))
        case 1: result = .failure(try ErrorAnswer(reading: &payload).error)
        case let other: throw PayloadReader.malformed("\(other) is no answer")
        }
        try payload.finish()
    }
}

protocol AnsweredValue: Sendable {
    func write(into bytes: inout ByteBuffer)
    init(reading payload: inout PayloadReader) throws(ValetError)
}

extension Outcome: AnsweredValue {
    func write(into bytes: inout ByteBuffer) {
        OutcomeAnswer(request: 0, outcome: self).write(into: &bytes)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self = try OutcomeAnswer(reading: &payload).outcome
    }
}

/// What was asked for is done, or will be.
struct Accepted: AnsweredValue, Hashable {
    init() {}
    func write(into bytes: inout ByteBuffer) {}
    init(reading payload: inout PayloadReader) throws(ValetError) {}
}

/// A copy of the file: the payload of a backup answer; nothing while it is being made.
struct OfferedCopy: AnsweredValue, Hashable {
    let copy: BackupDescription?

    init(_ copy: BackupDescription?) { self.copy = copy }

    func write(into bytes: inout ByteBuffer) {
        bytes.writeOptional(copy) { BackupAnswer(request: 0, backup: $1).write(into: &$0) }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        copy = try payload.optional { payload throws(ValetError) in
            try BackupAnswer(reading: &payload).backup
        }
    }
}

/// Bytes of a copy, of whole blocks.
struct CopiedBlocks: AnsweredValue, Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func write(into buffer: inout ByteBuffer) { buffer.writeSized(bytes) }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        bytes = try payload.bytes(
            "blocks of a copy", limit: Limits.blocksPerNodeAnswer * Limits.bytesPerBlock)
    }
}
