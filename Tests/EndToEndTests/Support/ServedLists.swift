import Foundation
import Testing
import ValetModel

/// A server with some lists that a suite's tests ask, all of them reading only.
struct ServedLists: SuiteTrait, TestScoping {
    @TaskLocal static var current: Served?

    struct Served: Sendable {
        var scratch: Scratch
        var address: String
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let scratch = Scratch()
        let people = try scratch.write(People.csv, to: "people.csv")
        try scratch.importing(file: people, into: "lists.sqlite", table: "people")
        for name in ["vehicles", "cities"] {
            guard let file = SampleData.path("\(name).csv") else { continue }
            try scratch.importing(file: file, into: "lists.sqlite", table: name)
        }
        let daemon = try Daemon(scratch.path("lists.sqlite"), in: scratch)
        try await ServedLists.$current.withValue(
            Served(scratch: scratch, address: daemon.address)
        ) {
            try await function()
        }
        #expect(try daemon.end() == 0)
    }
}

extension Trait where Self == ServedLists {
    static var servedLists: Self { ServedLists() }
}

/// A list with everything that makes order hard: case, accents, scripts, blanks, quotes, no value.
enum People {
    static let seed: UInt64 = 20_260_101

    static let csv: String = {
        var random = SeededNumbers(seed: seed)
        let stems = [
            "Citroën", "CITROEN", "citroen", "Straße", "STRASSE", "Żółć", "zolc", "Ångström",
            "angstrom", "Ωmega", "ωMEGA", "Ёлка", "елка", "東京", "한국", "42 Ltd", "#hash", "\"x\"",
            "a, b", "İstanbul", "istanbul", "Ærø", "ﬁne", "fine", "Đorđe", "", "  blank",
            "e\u{301}t",
        ]
        let towns = ["Zürich", "ZURICH", "zurich", "Genève", "geneve", "Bern", "", "Łódź", "Lodz"]
        let lines = (0..<1_500).map { _ -> String in
            let name =
                stems.randomElement(using: &random)! + ["", "", " a", " É"]
                .randomElement(using: &random)!
            let town = towns.randomElement(using: &random)!
            let age = Int.random(in: -3...99, using: &random)
            return [name, town, age < 0 ? "" : "\(age)"].map(quoted).joined(separator: ",")
        }
        return (["name,town,age"] + lines).joined(separator: "\n") + "\n"
    }()

    private static func quoted(_ field: String) -> String {
        "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    static let list = CSVList(csv: csv, title: "name", textColumns: ["name", "town"])
}
