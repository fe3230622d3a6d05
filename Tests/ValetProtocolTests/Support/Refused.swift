import NIOCore
import Testing
import ValetModel

@testable import ValetProtocol

/// A frame that must be refused, and the error that says why.
struct Refused: Sendable, CustomTestStringConvertible {
    let name: String
    let code: ErrorCode
    let bytes: [UInt8]

    var testDescription: String { title }
    var title: String { "\(name): \(code.name)" }
    /// Pages, progress, statistics, outcomes and welcomes are for clients; everything else here is
    /// for servers.
    var isForClient: Bool {
        [FrameKind.page, .buildProgress, .statisticsAnswer, .outcome, .welcome].contains {
            $0.rawValue == bytes[4]
        } && code != .unexpected
    }

    var pieces: [Dissection.Piece] {
        var dissection = Dissection(Array(bytes.dropFirst(Frame.headerBytes)))
        let payload = bytes.count - Frame.headerBytes
        if payload > 0 { dissection.takeFixed("payload", byteCount: payload) }
        return dissection.pieces
    }

    /// - Parameter length: what the header says, if it is not the payload's.
    init(
        _ name: String, _ code: ErrorCode, length: Int? = nil, _ kind: UInt8, flags: UInt8 = 0,
        _ payload: [UInt8]
    ) {
        self.name = name
        self.code = code
        let length = length ?? payload.count
        let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        bytes = header + [kind, flags, 0, 0] + payload
    }

    private static let name: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]

    /// The beginning of a command for a list without a name.
    private static func named(_ number: UInt8, _ group: UInt8) -> [UInt8] {
        [1] + name + name + [number, group] + name + [0]
    }

    static let all: [Refused] = [
        Refused("a frame of 4 GiB before the welcome", .limitExceeded, length: 1 << 32 - 1, 1, []),
        Refused("a frame over the limit before the welcome", .limitExceeded, length: 4_097, 1, []),
        Refused("an odd kind that nobody knows", .unknownKind, 0x7F, []),
        Refused("another protocol", .malformed, 1, Array("GET / HTTP/1.1".utf8)),
        Refused("a flag that has no meaning", .malformed, 0x19, flags: 1, name),
        Refused("a byte missing", .malformed, 0x19, Array(name.dropLast())),
        Refused("a byte too many", .malformed, 0x19, name + [0]),
        Refused("a number not in its shortest form", .malformed, 0x03, [0x81, 0x00]),
        Refused("a request number over 32 bits", .malformed, 0x03, [0x80, 0x80, 0x80, 0x80, 0x10]),
        Refused(
            "an ordinal of 2⁵³", .malformed, 0x0B,
            [1, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 1, 0, 0, 1, 0]),
        Refused("a bool of 2", .malformed, 0x0B, [1, 1, 4, 0, 1, 0, 0, 2, 0]),
        Refused("an anchor of no kind", .malformed, 0x0B, [1, 1, 6, 0, 1, 0, 0, 1, 0, 0]),
        Refused(
            "an anchor of rows that is another's", .malformed, 0x0B,
            [1, 1, 5, 0, 5, 0, 4, 0, 1, 0, 0, 1, 0, 0]),
        Refused("more rows than an anchor may have", .limitExceeded, 0x0B, [1, 1, 5, 9]),
        Refused(
            "more held pages than a window may name", .limitExceeded, 0x0B,
            [1, 1, 4, 0, 1, 0, 0, 1, 65]),
        Refused("text that is not UTF-8", .malformed, 0x13, [1, 1, 0xFF, 0]),
        Refused("a kind that only servers send, to a server", .unexpected, 0x81, []),
        Refused(
            "an earlier epoch of 7 bytes", .malformed, 0x81,
            [1, 0] + name + [0, 1, 1, 1, 1, 1, 1, 2, 7] + name.dropLast()),
        Refused("credit over the limit", .limitExceeded, 0x17, [0x81, 0x80, 0x80, 0x20]),
        Refused("a command of number 0", .malformed, 0x23, named(0, 0) + [6]),
        Refused("a group after its command", .malformed, 0x23, named(1, 2) + [6]),
        Refused("a command without a row", .malformed, 0x23, named(1, 1) + [0, 0]),
        Refused("a row twice in a command", .malformed, 0x23, named(1, 1) + [2, 2, 2, 0, 2, 0]),
        Refused("columns out of order", .malformed, 0x23, named(1, 1) + [0, 1, 2, 1, 0, 0, 0]),
        Refused(
            "a cut cell in a command", .malformed, 0x23, named(1, 1) + [0, 1, 1, 0, 5, 1, 0x61, 2]),
        Refused(
            "the hash of a short value", .malformed, 0x23,
            named(1, 1) + [1, 1, 2, 1, 0, 0, 2, 0x80, 0x02] + name),
        Refused(
            "a long seen value that is no hash", .limitExceeded, 0x23,
            named(1, 1) + [1, 1, 2, 1, 0, 0, 1, 3, 0x81, 0x02]),
        Refused(
            "more rows than a command may name", .limitExceeded, 0x23,
            named(1, 1) + [2, 0x91, 0x4E]),
        Refused("a verdict of no kind", .malformed, 0xA3, [1, 1, 0, 3]),
        Refused("more conflicts than an outcome lists", .limitExceeded, 0xA3, [1, 1, 0, 1, 65]),
        Refused("more progress than there is to do", .malformed, 0xA0, [1, 1, 0xE9, 0x07]),
        Refused("a statistic twice", .malformed, 0x9D, [1, 2, 1, 0x61, 5, 1, 0x61, 6]),
        Refused("a page that goes on without having begun", .malformed, 0x8B, flags: 2, name + [0]),
        Refused("a page frame without a byte", .malformed, 0x8B, name + [2, 2]),
        Refused("a page with two flags", .malformed, 0x8B, flags: 3, name + [2, 2, 0, 0]),
        Refused("a page given up that was not begun", .malformed, 0x8B, flags: 4, name),
        Refused("a page given up with a part", .malformed, 0x8B, flags: 4, name + [0]),
        Refused(
            "a page that claims more than LZ4 can make", .malformed, 0x8B, flags: 1,
            name + [0x80, 0x80, 0x80, 0x02, 3, 0, 0, 0]),
        Refused(
            "an LZ4 block that ends too early", .malformed, 0x8B, flags: 1,
            name + [20, 3, 0x20, 0, 0]),
        Refused("a page with a byte too many", .malformed, 0x8B, name + [3, 3, 0, 0, 0]),
        Refused("a page of 65 rows", .limitExceeded, 0x8B, name + [2, 2, 65, 0]),
        Refused(
            "a code beyond the dictionary", .malformed, 0x8B,
            name + [8, 8, 1, 1, 2, 1, 1, 1, 0x61, 1]),
        Refused("a decimal scale of 10", .malformed, 0x8B, name + [6, 6, 1, 1, 2, 3, 10, 2]),
        Refused("a bit beyond the last row", .malformed, 0x8B, name + [5, 5, 1, 1, 2, 0x82, 0x02]),
        Refused("a column encoding of no kind", .malformed, 0x8B, name + [4, 4, 1, 1, 2, 6]),
    ]
}
