import Foundation
import TestSupport
import Testing

/// What a person is told without a list.
@Suite(.runsPrograms) struct HelpTests {
    private static let articles = [
        "Terminal", "Scripts", "Conditions", "Catalog", "Dates", "Refresh", "Configuration",
        "Operations", "Architecture",
    ]

    @Test(arguments: articles)
    func aTopicIsTheArticle(name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/ValetCommands/Valet.docc/\(name).md")
        try Scratch.with { scratch in
            let done = try Program.valet.run(["help", name.lowercased()], in: scratch)
            #expect(done.code == 0)
            #expect(try done.text == String(contentsOf: file, encoding: .utf8))
        }
    }

    @Test func aSubcommandHasItsOwn() throws {
        try Scratch.with { scratch in
            let done = try Program.valet.run(["help", "count"], in: scratch)
            #expect(done.code == 0 && done.text.contains("USAGE: valet count"))
            let all = try Program.valet.run(["help"], in: scratch)
            #expect(all.text.contains("SUBCOMMANDS:"))
        }
    }

    @Test func whatIsNeitherIsNamedWithTheTopics() throws {
        try Scratch.with { scratch in
            let done = try Program.valet.run(["help", "nonsense"], in: scratch)
            #expect(done.code == 2)
            #expect(done.message.contains("“nonsense” is neither a subcommand nor a topic"))
        }
    }
}
