import ValetModel

/// A YAML value with its path in the file, for messages.
package struct YAMLValue: Sendable {
    package enum Kind: Sendable {
        /// Null: an empty value or `~`.
        case nothing
        case scalar(String)
        case sequence([YAMLValue])
        case mapping([(key: String, value: YAMLValue)])
    }

    package let kind: Kind
    let place: Place

    struct Place: Sendable {
        let file: String
        let line: Int
        /// The path from the top of the file: `lists[0].columns.fuel`; empty at the top itself.
        let key: String
    }

    package func error(
        _ problem: String, code: ErrorCode = .storageFailed, alternatives: [String] = []
    ) -> ValetError {
        place.error(problem, code: code, alternatives: alternatives)
    }

    /// Says that `word` is none of `names`, and which of them may be meant.
    package func error(_ problem: String, for word: String, among names: [String]) -> ValetError {
        guard let meant = Spelling.meant(by: word, among: names) else {
            return error(problem, alternatives: names)
        }
        return error("\(problem); perhaps “\(meant)” is meant", alternatives: names)
    }
}

extension YAMLValue.Place {
    func error(
        _ problem: String, code: ErrorCode = .storageFailed, alternatives: [String] = []
    ) -> ValetError {
        let key = key.isEmpty ? "" : " \(key):"
        return ValetError(
            code, "“\(file)”, line \(line):\(key) \(problem)",
            alternatives: Array(alternatives.prefix(Limits.alternativesPerError)))
    }
}

// MARK: Reading a file

extension YAMLValue {
    /// Reads one document. An empty file is an empty mapping.
    package init(file: String) throws(ValetError) {
        let bytes = try FilePath.contents(file, limit: Limits.bytesPerCatalogFile)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .storageFailed("“\(file)” is not UTF-8 text: save it as UTF-8")
        }
        guard let value = try YAMLReader.value(of: bytes, file: file) else {
            self.init(kind: .mapping([]), place: Place(file: file, line: 1, key: ""))
            return
        }
        self = value
    }

    // MARK: Typed values

    package var isNothing: Bool {
        if case .nothing = kind { true } else { false }
    }

    /// The text of any scalar: names may look like numbers.
    package func text(limit: Int = Limits.bytesPerName) throws(ValetError) -> String {
        guard case .scalar(let text) = kind else { throw error("must be a text") }
        guard text.utf8.count <= limit else {
            throw error("is limited to \(limit) bytes", code: .limitExceeded)
        }
        return text
    }

    package func boolean() throws(ValetError) -> Bool {
        guard case .scalar(let text) = kind else { throw error("must be true or false") }
        switch text.lowercased() {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw error("must be true or false, not “\(text)”")
        }
    }

    func number() throws(ValetError) -> Double {
        guard case .scalar(let text) = kind, let number = Double(text), number.isFinite else {
            throw error("must be a number")
        }
        return number
    }

    /// An integer of at least 0.
    func count() throws(ValetError) -> Int {
        guard case .scalar(let text) = kind, let number = Int(text), number >= 0 else {
            throw error("must be a whole number from 0")
        }
        return number
    }

    package func elements(limit: Int, of limitName: String) throws(ValetError) -> [YAMLValue] {
        guard case .sequence(let elements) = kind else { throw error("must be a list") }
        guard elements.count <= limit else {
            throw error(
                "has \(elements.count) entries, and is limited to \(limit) (\(limitName))",
                code: .limitExceeded)
        }
        return elements
    }

    /// The elements of a list, or the one value that stands for a list of it.
    package func oneOrSeveral(
        limit: Int, of limitName: String
    ) throws(ValetError) -> [YAMLValue] {
        if case .scalar = kind { return [self] }
        return try elements(limit: limit, of: limitName)
    }

    package func pairs() throws(ValetError) -> [(key: String, value: YAMLValue)] {
        guard case .mapping(let pairs) = kind else {
            throw error("must be keys and values, such as “name: value”")
        }
        return pairs
    }

    /// One of the words in `choices`.
    package func choice<Value>(_ choices: [(String, Value)]) throws(ValetError) -> Value {
        let word = try text()
        guard let choice = choices.first(where: { $0.0 == word }) else {
            throw error("“\(word)” is not a known word", for: word, among: choices.map(\.0))
        }
        return choice.1
    }

    /// The values by key; unknown keys are errors, and null values count as omitted.
    package func fields(_ known: [String]) throws(ValetError) -> [String: YAMLValue] {
        var fields: [String: YAMLValue] = [:]
        for (key, value) in try pairs() {
            guard known.contains(key) else {
                throw value.error("is not a known key", for: key, among: known)
            }
            if !value.isNothing { fields[key] = value }
        }
        return fields
    }
}
