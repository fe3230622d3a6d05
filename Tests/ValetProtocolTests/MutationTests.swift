import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

/// Golden frames with bytes flipped, cut out, put in and swapped: each is read or refused, none
/// traps, and what is read can be written and read again.
@Suite struct MutationTests {
    private static let pages: [[UInt8]] = PageSample.all.map(\.frame)
    private static let corpus = Sample.all.map(\.bytes) + pages

    @Test(arguments: 0..<40) func aMutatedFrameIsReadOrRefused(_ part: UInt64) throws {
        var generator = SeededNumbers(seed: runSeed &+ part)
        var assembler = PageAssembler()
        var taken = 0
        for round in 0..<500 {
            var bytes = Self.corpus[Int.random(in: 0..<Self.corpus.count, using: &generator)]
            Self.mutate(&bytes, &generator)
            if !generator.once(in: 4) { Self.repairLength(&bytes) }
            var buffer = ByteBuffer(bytes: bytes)
            do throws(ValetError) {
                let limit = Limits.bytesPerServerFrame
                guard let frame = try Frame(takingFrom: &buffer, payloadLimit: limit) else {
                    continue
                }
                taken += 1
                try Self.read(
                    frame, &assembler, "VALET_SEED=\(runSeed), part \(part), round \(round)")
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
        #expect(taken > 250, "most mutated frames must get as far as the payload")
    }

    private static func read(
        _ frame: Frame, _ assembler: inout PageAssembler, _ comment: Comment
    ) throws(ValetError) {
        if let message = try? ClientMessage(frame: frame) {
            var bytes = ByteBuffer()
            message.encode(stream: frame.stream, into: &bytes)
            let limit = Limits.bytesPerServerFrame
            let written = try Frame(takingFrom: &bytes, payloadLimit: limit)
            // One encoding a value: what was read is what is written.
            #expect(written?.payload == frame.payload, comment)
            #expect(try written.flatMap(ClientMessage.init(frame:)) == message, comment)
            return
        }
        guard let message = try ServerMessage(frame: frame) else { return }
        guard case .page(let page) = message else { return }
        if let decoded = try assembler.addDecoding(page) {
            #expect(decoded.rowIDs.count <= Limits.rowsPerLeaf, comment)
            #expect(decoded.columns.allSatisfy { $0.count == decoded.rowIDs.count }, comment)
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededNumbers) {
        let interesting: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF]
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            // The header is hit seldom, since most of its changes end the test early.
            let least = generator.once(in: 8) ? 0 : min(Frame.headerBytes, bytes.count)
            guard least < bytes.count else { return }
            let place = Int.random(in: least..<bytes.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[place] = interesting[Int.random(in: 0..<8, using: &generator)]
            case 2: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + 3))
            case 4: bytes.insert(interesting[Int.random(in: 0..<8, using: &generator)], at: place)
            case 5: bytes.swapAt(place, Int.random(in: least..<bytes.count, using: &generator))
            default:
                let large = [UInt8](
                    repeating: 0xFF, count: Int.random(in: 1...9, using: &generator))
                bytes.replaceSubrange(place..<place + 1, with: large + [0x01])
            }
        }
    }

    private static func repairLength(_ bytes: inout [UInt8]) {
        guard bytes.count >= Frame.headerBytes else { return }
        let length = bytes.count - Frame.headerBytes
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    }
}
