import Foundation
import NIOCore
import Testing
import ValetModel

@testable import ValetProtocol

/// PROTOCOL.md's tables say what the code says.
@Suite struct DocumentTests {
    private let document: String

    init() throws {
        document = try String(
            contentsOf: VectorFile.folder.appending(path: "PROTOCOL.md"), encoding: .utf8)
    }

    /// The trimmed cells of each table row in the chapter with this heading.
    private func rows(under heading: String) throws -> [[String]] {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading })
        let chapter = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        return chapter.filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func everyMUSTHasANumberOfItsOwn() throws {
        let start = try #require(document.range(of: "## 1. Words"))
        var block = ""
        for line in document[start.upperBound...].split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.isEmpty || line.hasPrefix("- ") {
                expectNumbered(block)
                block = ""
            }
            block += line + "\n"
        }
        expectNumbered(block)
    }

    private func expectNumbered(_ block: String) {
        if block.contains("MUST") { #expect(block.hasPrefix("- [P"), "\(block)") }
    }

    @Test func theKindsAreTheCodes() throws {
        var kinds: [String: UInt8] = [:]
        for row in try rows(under: "### Kinds") {
            for column in [0, 3] {
                guard let kind = UInt8(row[column].dropFirst(2), radix: 16) else { continue }
                kinds[row[column + 1]] = kind
            }
        }
        let expected = FrameKind.allCases.map { kind in
            let words = "\(kind)".replacing(/[A-Z]/) { " " + $0.output.lowercased() }
            return (words, kind.rawValue)
        }
        #expect(kinds == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test func theErrorsAreTheCodes() throws {
        let errors = try rows(under: "### Error (0x9B)").compactMap { row in
            UInt16(row[0]).map { "\($0) \(row[1])" }
        }
        #expect(errors == ErrorCode.allCases.map { "\($0.rawValue) \($0.name)" })
    }

    private static let limits: [String: Int] = [
        "bytesPerFrameBeforeWelcome": Limits.bytesPerFrameBeforeWelcome,
        "bytesPerClientFrame": Limits.bytesPerClientFrame,
        "bytesPerServerFrame": Limits.bytesPerServerFrame,
        "rawBytesPerPage": Limits.rawBytesPerPage, "bytesPerPageFrame": Limits.bytesPerPageFrame,
        "partialPages": Limits.partialPages, "bytesPerName": Limits.bytesPerName,
        "bytesPerSearch": Limits.bytesPerSearch, "bytesPerMessage": Limits.bytesPerMessage,
        "alternativesPerError": Limits.alternativesPerError,
        "secondsToRetryAfter": Limits.secondsToRetryAfter,
        "viewsPerConnection": Limits.viewsPerConnection,
        "pinsPerConnection": Limits.pinsPerConnection,
        "waitingRequestsPerConnection": Limits.waitingRequestsPerConnection,
        "bytesOfUnreadAnswers": Limits.bytesOfUnreadAnswers, "creditBytes": Limits.creditBytes,
        "bytesOfUnfinishedFrames": Limits.bytesOfUnfinishedFrames,
        "secondsUntilHello": Limits.secondsUntilHello, "secondsPerFrame": Limits.secondsPerFrame,
        "secondsOfSilence": Limits.secondsOfSilence, "secondsToDrain": Limits.secondsToDrain,
        "rowsPerWindow": Limits.rowsPerWindow, "heldPagesPerWindow": Limits.heldPagesPerWindow,
        "rowsPerAnchor": Limits.rowsPerAnchor, "answersPerSecond": Limits.answersPerSecond,
        "rowsPerLeaf": Limits.rowsPerLeaf, "titlesPerIndex": Limits.titlesPerIndex,
        "sectionsPerAnswer": Limits.sectionsPerAnswer,
        "bytesPerBlock": Limits.bytesPerBlock,
        "measuresPerRequest": Limits.measuresPerRequest,
        "sectionsPerAggregates": Limits.sectionsPerAggregates,
        "bytesPerPageText": Limits.bytesPerPageText, "textBytesPerPage": Limits.textBytesPerPage,
        "bytesPerDetailCell": Limits.bytesPerDetailCell, "bytesPerPiece": Limits.bytesPerPiece,
        "bytesPerTitle": Limits.bytesPerTitle, "lists": Limits.lists,
        "tablesLeftOut": Limits.tablesLeftOut,
        "columnsPerList": Limits.columnsPerList, "groupingsPerList": Limits.groupingsPerList,
        "scopesPerList": Limits.scopesPerList, "boundsPerGrouping": Limits.boundsPerGrouping,
        "actionsPerList": Limits.actionsPerList, "linesPerRow": Limits.linesPerRow,
        "choicesPerColumn": Limits.choicesPerColumn, "wheelsPerEditor": Limits.wheelsPerEditor,
        "kindsPerEditor": Limits.kindsPerEditor, "decimalsPerNumber": Limits.decimalsPerNumber,
        "detailSectionsPerList": Limits.detailSectionsPerList,
        "bytesPerKeyText": Limits.bytesPerKeyText, "statistics": Limits.statistics,
        "bytesPerCatalog": Limits.bytesPerCatalog, "rowsPerCommand": Limits.rowsPerCommand,
        "secondsPerCommand": Limits.secondsPerCommand,
        "secondsPerSearch": Limits.secondsPerSearch,
        "rowsPerUndo": Limits.rowsPerUndo, "commandsRemembered": Limits.commandsRemembered,
        "bytesPerSeenValue": Limits.bytesPerSeenValue,
        "problemsPerOutcome": Limits.problemsPerOutcome,
        "changesPerAnswer": Limits.changesPerAnswer, "stationsPerFrame": Limits.stationsPerFrame,
        "refreshesAtOnce": Limits.refreshesAtOnce,
        "secondsBetweenRefreshes": Limits.secondsBetweenRefreshes,
        "refreshProgressesPerSecond": Limits.refreshProgressesPerSecond,
        "feedsPerConnection": Limits.feedsPerConnection,
        "presencesPerSecond": Limits.presencesPerSecond, "wordsPerSearch": Limits.wordsPerSearch,
        "sortsPerQuery": Limits.sortsPerQuery, "conditionsPerQuery": Limits.conditionsPerQuery,
        "valuesPerCondition": Limits.valuesPerCondition, "parameters": Parameter.most,
        "parameter bytes": Parameter.bytesOfValue,
    ]

    @Test func theLimitsAreTheCodes() throws {
        var limits: [String: Int] = [:]
        for row in try rows(under: "## 13. Limits") {
            guard let value = Int(row[1].replacing(",", with: "")) else { continue }
            limits[row[0]] = value
        }
        #expect(limits == Self.limits)
    }

    @Test func theStatisticsAreTheCodes() throws {
        let names = try rows(under: "## 11. Statistics").map { $0[0] }.dropFirst(2)
        #expect(Array(names) == ServerStatistics.Name.allCases.map(\.rawValue))
        #expect(names.count <= Limits.statistics)
    }

    @Test func theExampleIsTheVector() throws {
        let vector = try String(contentsOf: VectorFile.url("conversation"), encoding: .utf8)
        let cases = vector.split(separator: "\n\n", maxSplits: 1)[1]
        #expect(document.contains("```\n\(cases)```"))
    }

    @Test func theLongestPageFrameIsAsLongAsItSays() {
        let sizes = PageFrame.Sizes(
            rawBytes: Limits.rawBytesPerPage, encodedBytes: Limits.rawBytesPerPage,
            isCompressed: false)
        var bytes = ByteBuffer()
        let part = ByteBuffer(repeating: 0, count: Limits.bytesPerPageFrame)
        PageFrame(name: PageName(rawValue: .max), sizes: sizes, part: part).encode(into: &bytes)
        #expect(bytes.readableBytes == 16_408)
        #expect(document.contains("A page frame is at most 16,408 bytes"))
    }

    /// With the most that each field takes.
    @Test func theLongestEntryIsNotLongerThanItSays() {
        func byteCount(columns: Int) -> Int {
            let count = Limits.bytesPerSeenValue
            let cell = Cell.malformedText(
                bytes: [UInt8](repeating: 0xFF, count: count), byteCount: Limits.largestCount)
            let cells = (0..<columns).map {
                CellChange(column: Limits.columnsPerList - 1 - $0, before: cell, after: cell)
            }
            let entry = LoggedChange(
                position: LogPosition(revision: .max, place: Limits.largestCount), time: .min,
                station: String(repeating: "n", count: Limits.bytesPerName),
                command: CommandName(writer: WriterID(high: .max, low: .max), number: .max),
                effect: RowEffect(kind: .updated, rowID: .min, cells: cells))
            var bytes = ByteBuffer()
            Changes(feed: .max, entries: [entry]).encode(into: &bytes)
            return bytes.readableBytes
        }
        #expect(document.contains("longer, header and all, than 1,110 bytes and\n  540 more"))
        #expect(1_100...1_110 ~= byteCount(columns: 0))
        for columns in [1, 8, 100] { #expect(byteCount(columns: columns) <= 1_110 + 540 * columns) }
    }

    @Test func theUnicodeVersionIsTheTables() {
        let version = TextFolding.unicodeVersion.split(separator: ".").prefix(2)
            .joined(separator: ".")
        #expect(document.contains("Unicode \(version)."))
    }
}
