import ValetModel
import Yams

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
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .storageFailed("“\(file)” is not UTF-8 text: save it as UTF-8")
        }
        try Self.refuseAnchors(in: text, file: file)
        do {
            // The parser refuses nesting deeper than a thousand levels.
            guard let node = try Yams.compose(yaml: text) else {
                self.init(kind: .mapping([]), place: Place(file: file, line: 1, key: ""))
                return
            }
            try self.init(node, file: file, key: "")
        } catch let error as ValetError {
            throw error
        } catch {
            throw Self.error(error, in: file)
        }
    }

    /// - Parameter keyMark: where its key stands, if it has one.
    private init(
        _ node: Node, file: String, key: String, keyMark: Mark? = nil
    ) throws(ValetError) {
        place = Place(file: file, line: (keyMark ?? node.mark)?.line ?? 1, key: key)
        switch node {
        case .scalar(let scalar):
            let isNothing = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
            kind = isNothing ? .nothing : .scalar(scalar.string)
        case .sequence(let sequence):
            var elements: [YAMLValue] = []
            for element in sequence {
                let key = "\(key)[\(elements.count)]"
                elements.append(try YAMLValue(element, file: file, key: key))
            }
            kind = .sequence(elements)
        case .mapping(let mapping):
            var pairs: [(String, YAMLValue)] = []
            for (keyNode, value) in mapping {
                guard let name = keyNode.scalar?.string else {
                    throw place.error("a key must be one word")
                }
                let path = key.isEmpty ? name : "\(key).\(name)"
                let value = try YAMLValue(value, file: file, key: path, keyMark: keyNode.mark)
                pairs.append((name, value))
            }
            kind = .mapping(pairs)
        case .alias:
            throw place.error("aliases (*) are not supported")
        }
    }

    /// Refuses anchors: a few of them can expand to more values than memory holds, and the parser
    /// compares keys by value before it returns. Our files need none.
    ///
    /// An anchor is an ampersand at the start of a token. Finding those exactly would take a
    /// parser, so everything that may be one is refused: `AT&T` and `this & that` pass, but a text
    /// such as `this &that` must be written differently.
    private static func refuseAnchors(in text: String, file: String) throws(ValetError) {
        var line = 1
        var isHarmless = false
        var isAnchorIfNotBlank = false
        for byte in text.utf8 {
            if isAnchorIfNotBlank, byte > 0x20 {
                throw Place(file: file, line: line, key: "").error(
                    "anchors (&) are not supported: write the value again, or a blank "
                        + "after the “&” of a text")
            }
            isAnchorIfNotBlank = byte == UInt8(ascii: "&") && !isHarmless
            switch Unicode.Scalar(byte) {
            case "0"..."9", "A"..."Z", "a"..."z", "\"", "'", "&": isHarmless = true
            default: isHarmless = false
            }
            if byte == 0x0A { line += 1 }
        }
    }

    private static func error(_ error: any Error, in file: String) -> ValetError {
        guard let error = error as? YamlError else {
            return .storageFailed("“\(file)” is not YAML")
        }
        func at(_ mark: Mark, _ texts: [String?]) -> ValetError {
            let place = Place(file: file, line: mark.line, key: "")
            // The parser's messages contain line breaks.
            let problem = texts.compactMap { $0 }.joined(separator: " ").split(separator: "\n")
            return place.error("this is not YAML: \(problem.joined(separator: " "))")
        }
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            return at(mark, [context?.text, problem])
        case .duplicatedKeysInMapping(let keys, let context):
            return Place(file: file, line: context.mark.line, key: "").error(
                "“\(keys.joined(separator: "”, “"))” is given more than once")
        case .reader(let problem, _, _, _):
            return .storageFailed("“\(file)” is not YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return .storageFailed("“\(file)” can't be read as YAML")
        }
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
            throw error("“\(word)” is not a known word", alternatives: choices.map(\.0))
        }
        return choice.1
    }

    /// The values by key; unknown keys are errors, and null values count as omitted.
    package func fields(_ known: [String]) throws(ValetError) -> [String: YAMLValue] {
        var fields: [String: YAMLValue] = [:]
        for (key, value) in try pairs() {
            guard known.contains(key) else {
                throw value.error("is not a known key", alternatives: known)
            }
            if !value.isNothing { fields[key] = value }
        }
        return fields
    }
}
