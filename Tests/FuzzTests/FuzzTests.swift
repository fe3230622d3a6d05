import Foundation
import TestSupport
import Testing

/// What fuzzing has found worth keeping is read again with each run of the tests: for each target a
/// file, of an input a line, in Base64.
@Suite(.offThePool) struct FuzzTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func corpus(of target: FuzzTarget) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent("Corpus/\(target.rawValue).txt"))
    }

    @Test(arguments: FuzzTarget.allCases)
    func itsCorpusIsReadOrRefused(_ target: FuzzTarget) throws {
        let lines = try Self.corpus(of: target).split(separator: UInt8(ascii: "\n"))
        #expect(!lines.isEmpty)
        for (number, line) in lines.enumerated() {
            let input = try #require(Data(base64Encoded: line), "line \(number + 1)")
            #expect(throws: Never.self, "line \(number + 1)") { try target.run(Array(input)) }
        }
    }

    @Test func theScriptKnowsEachTarget() throws {
        let script = Self.folder.appendingPathComponent("../../Scripts/fuzz")
        let text = try String(contentsOf: script, encoding: .utf8)
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
        #expect(text.contains("\ntargets='\(names)'\n"))
    }

    @Test func theCorpusIsSmall() throws {
        let bytes = try FuzzTarget.allCases.map { try Self.corpus(of: $0).count }.reduce(0, +)
        #expect(bytes <= 2 << 20)
    }
}
