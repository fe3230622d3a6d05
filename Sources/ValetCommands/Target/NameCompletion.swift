import ArgumentParser
import ValetModel
import ValetStore

/// What a shell offers for the names of a target's lists and columns.
enum NameCompletion {
    static let lists = kind { catalog, _ in catalog.lists.map(\.name) }
    static let columns = kind { $1?.columns.map(\.name) ?? [] }
    static let scopes = kind { $1?.scopes.map(\.name) ?? [] }
    static let groupings = kind { _, list in
        (list?.groupings.map(\.name) ?? []) + (list?.columns.map(\.name) ?? [])
    }

    /// - Parameter names: of the catalog, and of the list that is named, or the only one.
    private static func kind(
        _ names: @escaping @Sendable (Catalog, ListDescription?) -> [String]
    ) -> CompletionKind {
        .custom { words, place, _ in
            // What is being typed is no name yet.
            let others = words.enumerated().map { $0.offset == place ? "" : $0.element }
            let (answers, answer) = AsyncStream<[String]>.makeStream()
            Task { answer.yield((try? await read(others, names)) ?? []) }
            // Nobody waits longer for a word.
            Task {
                try? await Task.sleep(for: .seconds(2))
                answer.yield([])
            }
            for await names in answers { return names.filter(isPlain) }
            return []
        }
    }

    private static func read(
        _ words: [String], _ names: @Sendable (Catalog, ListDescription?) -> [String]
    ) async throws -> [String] {
        let typed = TypedTarget(words: words)
        guard let target = typed.target else { return [] }
        let options = TargetOptions(
            target: target, catalog: typed.catalog, authorities: typed.authorities,
            station: "completion")
        let open = try await OpenTarget.open(
            options, attempts: 1, changesRows: false, asks: false)
        let (catalog, _) = try await open.connection.catalog(countingRows: false)
        let list =
            try (typed.list ?? open.list).map { try catalog.list(named: $0) }
            ?? (catalog.lists.count == 1 ? catalog.lists[0] : nil)
        return names(catalog, list)
    }

    /// Whether a shell takes a name for one word, and expands nothing in it: bash would run a
    /// command that a file's column is called.
    static func isPlain(_ name: String) -> Bool {
        name.unicodeScalars.first != "-"
            && name.unicodeScalars.allSatisfy {
                $0 == "_" || $0 == "-" || $0 == "." || $0.properties.isAlphabetic
                    || ("0"..."9").contains($0)
            }
    }
}

/// The target in a command line that is still being typed.
struct TypedTarget {
    private(set) var target: String?
    private(set) var list: String?
    private(set) var catalog: String?
    private(set) var authorities: String?

    /// - Parameter words: from the program's name on, as a shell has them: in quotes, and in bash
    ///   with `:` and `=` as words of their own.
    init(words: [String]) {
        var rest = Self.joined(words).dropFirst()
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                if target == nil, Self.isTarget(word) { target = word }
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            // Behind the last sign stands what is being typed.
            guard parts.count > 1 || !word.hasSuffix("=") else { continue }
            let path: WritableKeyPath<TypedTarget, String?>? =
                switch parts[0] {
                case "--list": \.list
                case "--catalog": \.catalog
                case "--ca": \.authorities
                default: nil
                }
            guard let path else { continue }
            let value = parts.count > 1 ? parts[1] : rest.popFirst()
            self[keyPath: path] = value?.isEmpty == false ? value : nil
        }
    }

    /// A CSV file is none: to read all of it takes too long for a word.
    private static func isTarget(_ word: String) -> Bool {
        switch try? Target(word) {
        case .server, .demo: true
        case .file(let path): (try? requireFile(path)) != nil
        case .csv, nil: false
        }
    }

    private static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        var goesOn = false
        for word in words {
            let isSign = word == ":" || word == "="
            if isSign || goesOn, let last = joined.popLast() {
                joined.append(last + plain(word))
            } else {
                joined.append(plain(word))
            }
            goesOn = isSign
        }
        return joined
    }

    /// Without quotes around it.
    private static func plain(_ word: String) -> String {
        for quote in ["'", "\""] where word.hasPrefix(quote) && word.count > 1 {
            return String(word.dropFirst().prefix { String($0) != quote })
        }
        return word
    }
}
