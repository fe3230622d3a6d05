import Foundation
import Testing

/// The table of promises names what there is.
@Suite struct PromiseTests {
    private struct Promise {
        var number: Int
        var tests: [String]
        var commands: [String]
        var isShownWhole: Bool
    }

    private static let promises: [Promise] = {
        let page = Repository.files.first {
            $0.path == "Sources/ValetCommands/Valet.docc/Promises.md"
        }
        return (page?.lines ?? []).compactMap { line in
            let cells = line.text.split(separator: "|").map { String($0) }
            guard cells.count == 5, let number = Int(cells[0].filter { $0 != " " }) else {
                return nil
            }
            return Promise(
                number: number, tests: quoted(in: cells[2]), commands: quoted(in: cells[3]),
                isShownWhole: cells[4] == " – ")
        }
    }()

    /// What stands between two backquotes.
    private static func quoted(in text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test func thereAreFortyInOrder() {
        #expect(Self.promises.map(\.number) == Array(1...40))
    }

    @Test func whatNoTestShowsIsSaidToBeMissing() {
        for promise in Self.promises where promise.tests.isEmpty {
            #expect(!promise.isShownWhole, "promise \(promise.number)")
        }
    }

    @Test func everyTestIsThere() {
        let declared = Set(
            Repository.swiftFiles.filter { $0.path.hasPrefix("Tests/") }.flatMap { file in
                file.text.matches(of: /\b(?:func|struct|class) (\w+)/).map { String($0.1) }
            })
        #expect(declared.count > 2_000)
        for promise in Self.promises {
            for test in promise.tests {
                #expect(declared.contains(test), "promise \(promise.number): \(test)")
            }
        }
    }

    /// Commands, parts and options stand in the programs' sources as they are written.
    @Test func everyCommandIsThere() {
        let sources = Repository.files.filter { $0.path.hasPrefix("Sources/ValetLoad/") }
        let harness = sources.map(\.text).joined()
        let scripts = ["Scripts/soak", "Scripts/fuzz", "Scripts/sanitize"].map { path in
            (path, Repository.files.first { $0.path == path }?.text ?? "")
        }
        for promise in Self.promises {
            for command in promise.commands {
                let words = command.split(separator: " ").map(String.init)
                let place = "promise \(promise.number): \(command)"
                guard words.first == "valet-load" else {
                    // The parts of each stand in the list that it checks names against.
                    let script = scripts.first { $0.0 == words.first }?.1 ?? ""
                    let parts = script.split(separator: "\n").first {
                        $0.hasPrefix("known=") || $0.hasPrefix("targets=")
                    }
                    let names = (parts ?? "").split { "=' ".contains($0) }.dropFirst()
                    #expect(words.count == 2 && names.contains(words[1][...]), "\(place)")
                    continue
                }
                for word in words.dropFirst() where Int(word) == nil {
                    let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : word
                    #expect(harness.contains(name), "\(place)")
                }
            }
        }
    }
}
