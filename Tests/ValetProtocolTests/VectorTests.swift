import Foundation
import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

/// The golden frames under Proto/Vectors, both ways. VALET_RENEW_VECTORS=1 writes them anew.
@Suite(.serialized) struct VectorTests {
    private static let messageFiles = Set(Sample.all.map(\.file)).sorted()

    @Test(arguments: messageFiles) func aMessageIsWrittenAndReadAsItsVector(_ file: String) throws {
        let samples = Sample.all.filter { $0.file == file }
        let texts = samples.map { sample in
            let dissection = Dissection(sample.payload, as: sample.layout)
            return (sample.name, FrameText.make(sample.bytes, dissection.pieces))
        }
        try renew(file, texts)
        let cases = try #require(try VectorFile.read(file))
        #expect(cases.map(\.name) == samples.map(\.name))
        for (vector, sample) in zip(cases, samples) {
            #expect(vector.bytes == sample.bytes)
            #expect(try sample.decode(Frame(whole: vector.bytes)) == sample.message)
        }
    }

    @Test func aPageIsWrittenAndReadAsItsVector() throws {
        let texts = PageSample.all.map { sample in
            (sample.name, Self.text(of: sample.frame))
        }
        try renew("page", texts)
        let cases = try #require(try VectorFile.read("page"))
        #expect(cases.map(\.name) == PageSample.all.map(\.name))
        for (vector, sample) in zip(cases, PageSample.all) {
            let frame = try PageFrame(frame: Frame(whole: vector.bytes))
            #expect(frame.sizes?.isCompressed == !sample.isPlain)
            var assembler = PageAssembler()
            let page = try assembler.addDecoding(frame)
            #expect(page?.rowIDs == sample.page.rowIDs)
            #expect(page?.columns == sample.page.expected)
            // Another version of liblz4 may find a shorter block.
            if sample.isPlain { #expect(sample.frame == vector.bytes) }
        }
    }

    private static func text(of frame: [UInt8]) -> String {
        let dissection = Dissection(
            page: Array(frame.dropFirst(Frame.headerBytes)), isCompressed: frame[5] == 1)
        return FrameText.make(frame, dissection.pieces)
    }

    @Test func theConversationIsWrittenAndReadAsItsVector() throws {
        let texts = WorkedExample.turns.map { turn in
            switch turn {
            case .message(let sample):
                let dissection = Dissection(sample.payload, as: sample.layout)
                return (sample.name, FrameText.make(sample.bytes, dissection.pieces))
            case .page(let name, let bytes):
                return (name, Self.text(of: bytes))
            }
        }
        try renew("conversation", texts)
        let cases = try #require(try VectorFile.read("conversation"))
        #expect(cases.count == WorkedExample.turns.count)
        for (vector, turn) in zip(cases, WorkedExample.turns) {
            switch turn {
            case .message(let sample):
                #expect(vector.bytes == sample.bytes)
                #expect(try sample.decode(Frame(whole: vector.bytes)) == sample.message)
            case .page(_, let bytes):
                #expect(vector.bytes == bytes)
                var assembler = PageAssembler()
                let frame = try PageFrame(frame: Frame(whole: vector.bytes))
                let page = try assembler.addDecoding(frame)
                #expect(page?.columns == WorkedExample.page.expected)
            }
        }
    }

    @Test(arguments: Refused.all) func aRefusedFrameIsRefusedAsItsVectorSays(
        _ refused: Refused
    ) throws {
        if VectorFile.isRenewing, refused.name == Refused.all.first?.name {
            let texts = Refused.all.map { ($0.title, FrameText.make($0.bytes, $0.pieces)) }
            try renew("refused", texts)
        }
        let cases = try #require(try VectorFile.read("refused"))
        let vector = try #require(cases.first { $0.name == refused.title })
        #expect(vector.bytes == refused.bytes)
        let error = failure {
            var bytes = ByteBuffer(bytes: vector.bytes)
            let limit = Limits.bytesPerFrameBeforeWelcome
            guard let frame = try Frame(takingFrom: &bytes, payloadLimit: limit) else { return }
            guard refused.isForClient else {
                _ = try ClientMessage(frame: frame)
                return
            }
            guard case .page(let page) = try ServerMessage(frame: frame) else { return }
            var assembler = PageAssembler()
            _ = try assembler.addDecoding(page)
        }
        #expect(error?.code == refused.code)
    }

    @Test func noVectorIsLeftOver() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: VectorFile.folder.appending(path: "Vectors").path())
        let expected = Self.messageFiles + ["page", "conversation", "refused"]
        #expect(Set(names) == Set(expected.map { $0 + ".hex" }))
    }

    private func renew(_ file: String, _ cases: [(String, String)]) throws {
        guard VectorFile.isRenewing else { return }
        let title = file.replacing("-", with: " ")
        try VectorFile.write(file, title: "Golden frames: \(title). See ../PROTOCOL.md.", cases)
    }
}
