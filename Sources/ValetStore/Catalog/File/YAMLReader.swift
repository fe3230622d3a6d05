import CYAML
import ValetModel

/// Reads a file of one YAML document, event by event.
///
/// Source: libyaml's yaml.h.
final class YAMLReader {
    private let file: String
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let isReady: Bool
    /// Where the newest event begins.
    private var line = 1

    private enum Event {
        case scalar(String, isPlain: Bool)
        case sequence
        case mapping
        case alias
        /// Of a sequence or mapping, the document, or the file.
        case end
        /// Of the file, or of a document.
        case start
    }

    /// - Returns: nil for an empty file.
    static func value(of bytes: [UInt8], file: String) throws(ValetError) -> YAMLValue? {
        try bytes.withUnsafeBufferPointer { bytes throws(ValetError) in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
            let reader = YAMLReader(file)
            guard reader.isReady else { throw .storageFailed("no memory to read “\(file)”") }
            yaml_parser_set_encoding(reader.parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(reader.parser, start, bytes.count)
            return try reader.document()
        }
    }

    private init(_ file: String) {
        self.file = file
        isReady = yaml_parser_initialize(parser) == 1
    }

    deinit {
        if isReady { yaml_parser_delete(parser) }
        parser.deallocate()
    }

    private func document() throws(ValetError) -> YAMLValue? {
        _ = try next()
        guard case .start = try next() else { return nil }
        let value = try value(try next(), key: "", depth: 0)
        _ = try next()
        guard case .end = try next() else {
            throw error("this is not YAML: there must be one document, and another begins here")
        }
        return value
    }

    /// - Parameters:
    ///   - event: that begins it, which has just been read.
    ///   - keyLine: where its key stands, if it has one.
    private func value(
        _ event: Event, key: String, keyLine: Int? = nil, depth: Int
    ) throws(ValetError) -> YAMLValue {
        guard depth <= Limits.levelsOfYAML else {
            throw error("is nested more than \(Limits.levelsOfYAML) levels deep (levelsOfYAML)")
        }
        let place = YAMLValue.Place(file: file, line: keyLine ?? line, key: key)
        switch event {
        case .scalar(let text, let isPlain):
            let isNothing = isPlain && ["", "~", "null"].contains(text)
            return YAMLValue(kind: isNothing ? .nothing : .scalar(text), place: place)
        case .sequence:
            var elements: [YAMLValue] = []
            while true {
                let event = try next()
                if case .end = event { break }
                let key = "\(key)[\(elements.count)]"
                elements.append(try value(event, key: key, depth: depth + 1))
            }
            return YAMLValue(kind: .sequence(elements), place: place)
        case .mapping: return YAMLValue(kind: .mapping(try pairs(of: place, depth)), place: place)
        case .alias: throw place.error("aliases (*) are not supported: write the value again")
        case .start, .end: throw place.error("this is not YAML")
        }
    }

    private func pairs(
        of mapping: YAMLValue.Place, _ depth: Int
    ) throws(ValetError) -> [(key: String, value: YAMLValue)] {
        var pairs: [(key: String, value: YAMLValue)] = []
        var names: Set<String> = []
        while true {
            let event = try next()
            if case .end = event { return pairs }
            guard case .scalar(let name, _) = event else {
                throw mapping.error("a key must be one word")
            }
            let keyLine = line
            guard names.insert(name).inserted else {
                throw error("“\(name)” is given more than once")
            }
            let path = mapping.key.isEmpty ? name : "\(mapping.key).\(name)"
            let value = try value(try next(), key: path, keyLine: keyLine, depth: depth + 1)
            pairs.append((name, value))
        }
    }

    private func next() throws(ValetError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        line = Int(event.start_mark.line) + 1
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuse(scalar.anchor)
            let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
            return .scalar(
                String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            try refuse(event.data.sequence_start.anchor)
            return .sequence
        case YAML_MAPPING_START_EVENT:
            try refuse(event.data.mapping_start.anchor)
            return .mapping
        case YAML_ALIAS_EVENT: return .alias
        case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: return .start
        default: return .end
        }
    }

    /// A few anchors can expand to more values than memory holds; our files need none.
    private func refuse(_ anchor: UnsafeMutablePointer<yaml_char_t>?) throws(ValetError) {
        guard anchor != nil else { return }
        throw error(
            "anchors (&) are not supported: write the value again, or quote a text that begins "
                + "with “&”")
    }

    private func error(_ problem: String) -> ValetError {
        YAMLValue.Place(file: file, line: line, key: "").error(problem)
    }

    private var failure: ValetError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "unknown"
        switch parser.pointee.error {
        case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
            line = Int(parser.pointee.problem_mark.line) + 1
            let context = parser.pointee.context.map { String(cString: $0) + " " } ?? ""
            return error("this is not YAML: \(context)\(problem)")
        case YAML_READER_ERROR: return .storageFailed("“\(file)” is not YAML: \(problem)")
        default: return .storageFailed("“\(file)” can't be read as YAML: \(problem)")
        }
    }
}
