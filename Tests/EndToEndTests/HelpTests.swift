import Foundation
import TestSupport
import Testing

/// What a person is told without a list.
@Suite(.runsPrograms) struct HelpTests {
    private let scratch = Scratch()

    private static let articles = [
        "Terminal", "Scripts", "Conditions", "Catalog", "Dates", "Refresh", "Configuration",
        "Operations", "Architecture",
    ]

    @Test(arguments: articles)
    func aTopicIsTheArticle(name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/ValetCommands/Valet.docc/\(name).md")
        let done = try scratch.valet(["help", name.lowercased()], expecting: 0)
        #expect(try done.text == String(contentsOf: file, encoding: .utf8))
    }

    @Test func aSubcommandHasItsOwn() throws {
        let done = try scratch.valet(["help", "count"])
        #expect(done.code == 0 && done.text.contains("USAGE: valet count"))
        let all = try scratch.valet(["help"])
        #expect(all.text.contains("SUBCOMMANDS:"))
    }

    @Test func aNameThatIsNeitherIsAnsweredWithTheTopics() throws {
        let done = try scratch.valet(["help", "nonsense"], expecting: 2)
        #expect(done.message.contains("“nonsense” is neither a subcommand nor a topic"))
    }
}
