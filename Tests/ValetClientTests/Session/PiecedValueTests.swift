import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// A long value, as its pieces come.
@Suite struct PiecedValueTests {
    /// - Parameter pieces: of two bytes each.
    /// - Returns: the value, and how many pieces were taken for it.
    private func read(
        _ pieces: [(revision: UInt64, bytes: String, of: Int)]
    ) throws(ValetError) -> (String, Int)? {
        var value = PiecedValue()
        for (place, piece) in pieces.enumerated() {
            let whole = try value.add(
                PieceAnswer(
                    request: 1, revision: piece.revision, byteCount: piece.of,
                    offset: value.offset, bytes: Array(piece.bytes.utf8)))
            if let whole { return (String(decoding: whole, as: UTF8.self), place + 1) }
        }
        return nil
    }

    @Test(
        arguments: [
            ([(1, "ab", 4), (1, "cd", 4)], "abcd"), ([(1, "", 0)], ""), ([(1, "ab", 2)], "ab"),
            // Another size, and so another value.
            ([(1, "ab", 4), (2, "xy", 2), (2, "xy", 2)], "xy"),
            ([(1, "ab", 2), (1, "cd", 4)], "ab"),
            ([(1, "ab", 4), (2, "", 0), (2, "wx", 6), (2, "yz", 6), (2, "!!", 6)], "wxyz!!"),
            // The same twice.
            ([(1, "ab", 4), (2, "cd", 4), (3, "ab", 4), (4, "cd", 4)], "abcd"),
            // Changed in the second reading.
            (
                [
                    (1, "ab", 4), (2, "cd", 4), (3, "ab", 4), (4, "xy", 4), (4, "ab", 4),
                    (5, "xy", 4),
                ], "abxy"
            ),
        ] as [([(revision: UInt64, bytes: String, of: Int)], String)])
    func piecesAreOneValue(
        pieces: [(revision: UInt64, bytes: String, of: Int)], expected: String
    ) throws {
        #expect(try read(pieces)?.0 == expected)
    }

    @Test func aValueThatKeepsChangingIsGivenUp() throws {
        for pieces in [
            (0..<40).map { (UInt64($0), "\(10 + $0)", 4) }, (1...9).map { (1, "ab", 2 + 2 * $0) },
        ] as [[(revision: UInt64, bytes: String, of: Int)]] {
            #expect(failure { try read(pieces) }?.code == .superseded)
        }
    }

    @Test func aValueThatIsTooLongIsRefusedWithItsFirstPiece() {
        #expect(failure { try read([(1, "ab", Limits.bytesPerValue + 1)]) }?.code == .limitExceeded)
    }
}
