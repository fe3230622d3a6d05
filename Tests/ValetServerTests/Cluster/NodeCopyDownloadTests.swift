import Dispatch
import Foundation
import TestSupport
import Testing
import ValetCluster
import ValetModel
import ValetStore

@testable import ValetServer

/// What a node takes over of another one's file, and what it does not.
@Suite struct NodeCopyDownloadTests {
    private let folder = TemporaryFolder()
    private let path: String
    private let stopped = DispatchSemaphore(value: 0)

    init() throws { path = try folder.database("CREATE TABLE t (a TEXT)") }

    /// The bytes of a node's file at a place in a log.
    private func file(logID: UInt64 = 5, place: Int = 3) throws -> [UInt8] {
        let other = TemporaryFolder()
        // More blocks than go into one answer.
        let file = try other.database(
            "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (hex(randomblob(400000)))")
        var chain = LogChain(logID: logID)
        for _ in 0..<place { _ = chain.take([]) }
        try NodeMark.make(inFile: file, chain.stored, at: 1)
        try Connection(path: file).copy(to: other.file("copy"))
        return [UInt8](try Data(contentsOf: URL(filePath: other.file("copy"))))
    }

    /// - Parameters:
    ///   - sent: what is sent for the bytes of some blocks.
    ///   - answer: nil for the usual one.
    private func download(
        _ bytes: [UInt8], sent: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 },
        answer: @escaping @Sendable (NodeQuestion) -> [UInt8]?? = { _ in nil }
    ) throws {
        let copy = BackupDescription(
            revision: 1, byteCount: bytes.count, digest: OpenedFile.digest(of: bytes))
        let log = AnsweringLog { question in
            if let special = answer(question) { return special }
            guard case .blocks(_, let first) = question else {
                return NodeAnswer(.success(OfferedCopy(copy))).bytes
            }
            let start = copy.bytes(ofBlock: first).lowerBound
            let blocks = bytes[start...].prefix(
                Limits.blocksPerNodeAnswer * Limits.bytesPerBlock)
            return NodeAnswer(.success(CopiedBlocks(sent(Array(blocks))))).bytes
        }
        try NodeCopyDownload(log: log, path: path, logID: 5, place: 0, stopped: stopped)
            .run(from: "bo")
    }

    private func failure(_ body: () throws -> Void) -> ErrorCode? {
        #expect(throws: ValetError.self, performing: body)?.code
    }

    @Test func allBlocksMakeTheFile() throws {
        let bytes = try file()
        #expect(bytes.count > Limits.blocksPerNodeAnswer * Limits.bytesPerBlock)
        let asked = Mutex(0)
        try download(
            bytes,
            answer: { question in
                guard case .copy(behind: 0) = question else { return nil }
                // It is being made at first.
                let count = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                guard count < 3 else { return nil }
                return NodeAnswer(.success(OfferedCopy(nil))).bytes
            })
        let copy = try Data(contentsOf: URL(filePath: NodeFile.copy(ofOther: path)))
        #expect([UInt8](copy) == bytes)
    }

    @Test func whatIsDamagedOnItsWayIsRefused() throws {
        let bytes = try file()
        let damages: [@Sendable ([UInt8]) -> [UInt8]] = [
            { $0.dropLast() + [$0[$0.count - 1] ^ 1] }, { _ in [] }, { Array($0.dropLast()) },
            { Array($0.prefix(100)) },
        ]
        for damage in damages {
            #expect(failure { try download(bytes, sent: damage) } == .storageFailed)
        }
        let half = Array(bytes.prefix(bytes.count / 2))
        #expect(failure { try download(half) } == .storageFailed, "it is sent so, and no database")
    }

    @Test func aFileThatIsTooLargeIsNotAskedFor() throws {
        let copy = BackupDescription(
            revision: 1, byteCount: Limits.bytesPerNodeCopy + 1,
            digest: Array(repeating: 0, count: 32))
        let code = failure {
            try download(
                [],
                answer: { question in
                    if case .blocks = question { Issue.record("it was asked for") }
                    return NodeAnswer(.success(OfferedCopy(copy))).bytes
                })
        }
        #expect(code == .limitExceeded)
    }

    @Test func aFileOfAnotherLogOrOfNoMoreIsNotTaken() throws {
        for (logID, place) in [(6, 3), (5, 0)] as [(UInt64, Int)] {
            let bytes = try file(logID: logID, place: place)
            #expect(failure { try download(bytes) } == .unexpected)
        }
    }

    @Test func whoDoesNotAnswerOrRefusesEndsIt() throws {
        let bytes = try file()
        #expect(failure { try download(bytes, answer: { _ in .some(nil) }) } == .timedOut)
        let refusal = NodeAnswer<OfferedCopy>(.failure(ValetError(.busy, "later"))).bytes
        #expect(failure { try download(bytes, answer: { _ in refusal }) } == .busy)
        stopped.signal()
        #expect(failure { try download(bytes) } == .shuttingDown)
        #expect(failure { try download(bytes) } == .shuttingDown, "it stays so")
    }
}

/// A log whose nodes answer at once.
private final class AnsweringLog: CommandLog {
    private let answer: @Sendable (NodeQuestion) -> [UInt8]?

    init(_ answer: @escaping @Sendable (NodeQuestion) -> [UInt8]?) { self.answer = answer }

    func ask(_ node: String, _ question: [UInt8], _ take: @escaping @Sendable ([UInt8]?) -> Void) {
        take((try? NodeQuestion(question)).flatMap { answer($0) })
    }

    func publish(_ message: [UInt8], after place: UInt64) {}
    func look(at place: UInt64) -> ClusterNode.Look { .failed }
    func read(from place: UInt64) -> LogReading { .failed }
    func ends() -> LogLook { .failed }
    func purge(keepingFrom place: UInt64) -> Bool { false }
    func say(_ news: NodeNews) {}
    func listen(
        as node: String, hear: @escaping @Sendable (NodeNews) -> Void,
        asked: @escaping AskedNode
    ) {}
    func close() {}
}
