import Foundation
import Testing

/// README and the articles behind it.
@Suite struct ReadmeTests {
    private static let articles = "Sources/ValetCommands/Valet.docc"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    @Test func isReadInAFewMinutes() throws {
        let lines = try Self.text("README.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 130)
    }

    /// The example is compiled.
    @Test func showsCodeThatIsCompiled() throws {
        let example = try Self.text("Tests/ValetClientTests/ReadmeExample.swift")
        let body = example.split(separator: "// README begins here.\n")[1]
            .split(separator: "    // README ends here.")[0]
        let code = body.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
        let shown = "import ValetClient\nimport ValetModel\n\n\(code)\n```"
        #expect(try Self.text("README.md").contains(shown))
    }

    /// Whoever reads a warning finds there what to do.
    @Test func everyWarningOfTheLogIsExplained() throws {
        let page = try Self.text("\(Self.articles)/Operations.md")
        let warnings = Repository.swiftFiles.filter { $0.path.hasPrefix("Sources/Valet") }
            .flatMap { file in
                file.text.matches(of: /logger\.(?:warning|error)\(\s*"([^"]+)"/).map { match in
                    // A subject may come first.
                    String(match.1).replacing(#/^\\\(.*\) /#, with: "")
                }
            }
        #expect(warnings.count > 10)
        for warning in warnings { #expect(page.contains("| \(warning) |"), "\(warning)") }
    }

    @Test func everyLinkLeadsToAFile() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: Self.articles).path)
        let pages =
            ["README.md"]
            + names.filter { $0.hasSuffix(".md") }.map {
                "\(Self.articles)/\($0)"
            }
        #expect(pages.count > 8)
        for page in pages {
            let folder = Repository.root.appending(path: page).deletingLastPathComponent()
            for match in try Self.text(page).matches(of: /\]\(([^)#]+)\)/) {
                let target = String(match.1)
                guard !target.hasPrefix("http") else { continue }
                let file = folder.appending(path: target).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: file), "\(page): \(target)")
            }
            for match in try Self.text(page).matches(of: /<doc:(\w+)>/) {
                #expect(names.contains("\(match.1).md"), "\(page): \(match.1)")
            }
        }
    }
}
