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
        try renew(file, samples.map { ($0.name, FrameText.make($0.bytes)) })
        let cases = try #require(try VectorFile.read(file))
        #expect(cases.map(\.name) == samples.map(\.name))
        for (vector, sample) in zip(cases, samples) {
            #expect(vector.bytes == sample.bytes)
            #expect(try Frame(whole: vector.bytes).message() == sample.message)
        }
    }

    @Test func aPageIsWrittenAndReadAsItsVector() throws {
        try renew("page", PageSample.all.map { ($0.name, FrameText.make($0.frame)) })
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

    @Test func theConversationIsWrittenAndReadAsItsVector() throws {
        try renew("conversation", WorkedExample.turns.map { ($0.name, FrameText.make($0.bytes)) })
        let cases = try #require(try VectorFile.read("conversation"))
        #expect(cases.count == WorkedExample.turns.count)
        for (vector, turn) in zip(cases, WorkedExample.turns) {
            #expect(vector.bytes == turn.bytes)
            let read = try #require(try Frame(whole: vector.bytes).message())
            if let frame = read as? PageFrame {
                var assembler = PageAssembler()
                let page = try assembler.addDecoding(frame)
                #expect(page?.columns == WorkedExample.page.expected)
            } else {
                #expect(read == turn.message)
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
