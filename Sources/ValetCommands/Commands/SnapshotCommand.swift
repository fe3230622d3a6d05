import ArgumentParser
import Foundation
import ValetModel
import ValetTerminal

struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Draw a screen without a terminal.",
        discussion: """
            Keys are separated by commas. A character stands for itself, and a word is typed \
            letter by letter, unless it is nearly a key's name. The names are those of \
            config.yaml: \(Key.names.joined(separator: ", ")), ^A … ^Z, f1 … f12. \
            The screen is drawn when all answers have come.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var screen: ScreenOptions

    @Option(help: "Columns and lines.")
    var size = "80x24"

    @Option(help: "Keys to press first, such as j,j,enter.")
    var keys = ""

    @Flag(help: "As text (the default).")
    var text = false

    @Flag(help: "As SVG.")
    var svg = false

    func validate() throws {
        if text, svg { throw ValidationError("Use --text or --svg, not both.") }
        _ = try screenSize()
        _ = try KeyNames.keys(keys)
    }

    private func screenSize() throws -> Size {
        let parts = size.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2, (1...500).contains(parts[0]), (1...500).contains(parts[1]) else {
            throw ValidationError("--size takes COLUMNSxLINES, such as 80x24, up to 500 each.")
        }
        return Size(columns: parts[0], rows: parts[1])
    }

    func run() async throws {
        var settings = try screen.settings()
        // Whatever terminal this may run in, it is not what is drawn on.
        settings.terminal = nil
        let picture = try await ScreenShot(
            target: target, options: try target.appOptions(query, settings),
            size: try screenSize(), keys: try KeyNames.keys(keys)
        ).take()
        let renderer = SVGRenderer(hasColors: settings.hasColors)
        try StandardOutput.write(svg ? renderer.svg(picture) : picture.text + "\n")
    }
}

/// Keys as a command line writes them.
enum KeyNames {
    static func keys(_ text: String) throws -> [Key] {
        try text.unicodeScalars.split(separator: ",").map { String($0) }.flatMap { word -> [Key] in
            if let key = Key(name: word) { return [key] }
            let names = Key.names.filter { $0.count >= 5 }
            if let meant = names.first(where: { Spelling.isSlip(word, of: $0) }) {
                throw ValidationError(
                    "“\(word)” is no key: write \(meant), or "
                        + "\(word.map(String.init).joined(separator: ",")) to type it.")
            }
            // A word is typed letter by letter.
            guard !word.utf8.contains(UInt8(ascii: "^")), !word.utf8.contains(UInt8(ascii: "-"))
            else {
                throw ValidationError("“\(word)” is no key; see valet help snapshot.")
            }
            return word.map(Key.character)
        }
    }
}
