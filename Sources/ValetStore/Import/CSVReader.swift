import ValetModel

/// Parses CSV bytes into rows of fields; no I/O.
///
/// RFC 4180, plus what real files contain: a lone CR or LF ends a line, a byte order mark is
/// skipped, the last line may be unterminated, and text is UTF-8. Malformed input is refused with
/// its place, never guessed at. One row is held at a time, in one buffer.
package struct CSVReader {
    private enum State {
        case fieldStart
        case plain
        case quoted
        /// After a quote inside a quoted field: its end, or the first half of an escaped quote.
        case quoteInQuoted
    }

    /// Line and column as editors count them, from 1; a column is a Unicode scalar.
    private struct Place {
        var line: Int
        var column: Int
    }

    private let file: String
    private let separator: UInt8
    private let bytesPerField: Int
    private var state = State.fieldStart
    /// The row's concatenated fields, and the end of each.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var isFieldASCII = true
    private var hasQuotes = false
    private var isRowDone = false
    private var openedQuote = Place(line: 1, column: 1)

    /// Bytes consumed before the current input.
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    /// Continuation bytes on this line, which do not count as columns.
    private var continuations = 0
    private var isAfterReturn = false
    /// Bytes of the byte order mark seen; nil once there can be none.
    private var markLength: Int? = 0

    /// The line on which the current row starts.
    package private(set) var rowLine = 1

    /// - Parameter file: the file's name for errors.
    package init(
        file: String, separator: UInt8 = UInt8(ascii: ","),
        bytesPerField: Int = Limits.bytesPerCSVField
    ) {
        self.file = file
        self.separator = separator
        self.bytesPerField = bytesPerField
    }

    // MARK: The current row

    package var fieldCount: Int { ends.count }

    /// An empty line.
    package var isBlank: Bool { ends == [0] && !hasQuotes }

    /// Lends the bytes of a field, with quotes removed.
    package func withField<Result, Failure>(
        _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = index == 0 ? 0 : ends[index - 1]
        let end = ends[index]
        // The standard closure functions rethrow `any Error`, so the outcome is returned as a
        // value.
        let outcome: Swift.Result<Result, Failure> = bytes.withUnsafeBytes { all in
            do throws(Failure) {
                return .success(try body(UnsafeRawBufferPointer(rebasing: all[start..<end])))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    package func text(_ index: Int) -> String {
        withField(index) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the row has these texts and no others; false for none.
    func isRow(_ texts: [String]) -> Bool {
        !texts.isEmpty && texts.count == fieldCount
            && texts.indices.allSatisfy { field in
                withField(field) { $0.elementsEqual(texts[field].utf8) }
            }
    }

    /// An error at the current row.
    package func error(_ problem: String, code: ErrorCode = .storageFailed) -> ValetError {
        ValetError(code, "“\(file)”, line \(rowLine): \(problem)")
    }

    // MARK: Reading

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Consumes bytes from the front of `input` up to the end of a row. True: a row is complete;
    /// false: the input is used up.
    package mutating func readRow(
        from input: inout UnsafeRawBufferPointer
    ) throws(ValetError) -> Bool {
        var index = 0
        defer {
            offset += index
            input = UnsafeRawBufferPointer(rebasing: input[index...])
        }
        while index < input.count {
            if isRowDone { beginRow() }
            if skips(input[index], at: offset + index) {
                index += 1
            } else if try advance(input, &index) {
                return true
            }
        }
        return false
    }

    /// Consumes a run of field bytes, or the byte that ends it. True: a row is complete.
    private mutating func advance(
        _ input: UnsafeRawBufferPointer, _ index: inout Int
    ) throws(ValetError) -> Bool {
        let byte = input[index]
        switch state {
        case .fieldStart where byte == Self.quote:
            state = .quoted
            hasQuotes = true
            openedQuote = place(offset + index)
            index += 1
        case .fieldStart, .plain:
            index = try takePlain(input, from: index)
            if index == input.count { return false }
            guard input[index] != Self.quote else {
                throw error(
                    "a quote inside a field: put the whole field in quotes, and double this one",
                    at: offset + index)
            }
            index += 1
            return try endField(with: input[index - 1], at: offset + index - 1)
        case .quoted:
            index = try takeQuoted(input, from: index)
            if index == input.count { return false }
            state = .quoteInQuoted
            index += 1
        case .quoteInQuoted where byte == Self.quote:
            bytes.append(byte)
            state = .quoted
            index += 1
        case .quoteInQuoted:
            guard [separator, Self.lineFeed, Self.carriageReturn].contains(byte) else {
                throw error(
                    "text after a closing quote: a quote inside a field must be doubled",
                    at: offset + index)
            }
            index += 1
            return try endField(with: byte, at: offset + index - 1)
        }
        return false
    }

    /// Ends the input. True: a last, unterminated row is complete.
    package mutating func finish() throws(ValetError) -> Bool {
        if isRowDone { beginRow() }
        switch state {
        case .fieldStart where ends.isEmpty: return false
        case .fieldStart, .plain, .quoteInQuoted:
            try closeField()
            isRowDone = true
            return true
        case .quoted:
            throw error("a quote that is opened here is never closed", openedQuote)
        }
    }

    private mutating func beginRow() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        isRowDone = false
        hasQuotes = false
        rowLine = line
    }

    /// True for bytes of the byte order mark, and for the line feed after a carriage return.
    private mutating func skips(_ byte: UInt8, at place: Int) -> Bool {
        if let length = markLength {
            if byte == Self.byteOrderMark[length] {
                markLength = length == 2 ? nil : length + 1
                lineStart = place + 1
                return true
            }
            // An incomplete byte order mark is not text.
            if length > 0 { isFieldASCII = false }
            bytes.append(contentsOf: Self.byteOrderMark[..<length])
            markLength = nil
        }
        guard isAfterReturn else { return false }
        isAfterReturn = false
        if byte == Self.lineFeed {
            lineStart = place + 1
            if state == .quoted { bytes.append(byte) }
            return true
        }
        return false
    }

    /// Consumes bytes of an unquoted field; returns where another byte stands.
    private mutating func takePlain(
        _ input: UnsafeRawBufferPointer, from start: Int
    ) throws(ValetError) -> Int {
        var end = start
        var seen: UInt8 = 0
        while end < input.count {
            let byte = input[end]
            if byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn
                || byte == Self.quote
            {
                break
            }
            seen |= byte
            end += 1
        }
        // An empty field stays in its start state, where a quote is allowed.
        if end > start { state = .plain }
        try take(input[start..<end], seen: seen, lineStart: start)
        return end
    }

    /// Consumes bytes of a quoted field; returns where a quote stands or the input ends.
    private mutating func takeQuoted(
        _ input: UnsafeRawBufferPointer, from start: Int
    ) throws(ValetError) -> Int {
        var end = start
        var seen: UInt8 = 0
        while end < input.count, input[end] != Self.quote {
            seen |= input[end]
            end += 1
        }
        var lineEnd = start
        while let next = input[lineEnd..<end].firstIndex(where: {
            $0 == Self.lineFeed || $0 == Self.carriageReturn
        }) {
            lineEnd = next + 1
            if input[next] == Self.lineFeed, next > start, input[next - 1] == Self.carriageReturn {
                lineStart = offset + lineEnd
            } else {
                beginLine(at: offset + lineEnd)
            }
        }
        try take(input[start..<end], seen: seen, lineStart: lineEnd)
        // A line feed at the start of the next input would belong to this line end.
        isAfterReturn = end == input.count && input[end - 1] == Self.carriageReturn
        return end
    }

    /// - Parameter lineStart: where in the run its last line starts.
    private mutating func take(
        _ run: Slice<UnsafeRawBufferPointer>, seen: UInt8, lineStart: Int
    ) throws(ValetError) {
        let size = bytes.count - (ends.last ?? 0) + run.count
        guard size <= bytesPerField, bytes.count + run.count <= Limits.bytesPerValue
        else {
            throw error(
                "a field of more than \(bytesPerField) bytes (bytesPerCSVField), or a row "
                    + "of more than \(Limits.bytesPerValue) (bytesPerValue)", code: .limitExceeded)
        }
        bytes.append(contentsOf: run)
        if seen >= 0x80 {
            isFieldASCII = false
            for byte in run[lineStart...] where byte & 0xC0 == 0x80 { continuations += 1 }
        }
    }

    /// Ends a field at a separator, and the row at anything else. True: the row is complete.
    private mutating func endField(with byte: UInt8, at place: Int) throws(ValetError) -> Bool {
        try closeField()
        if byte == separator { return false }
        isAfterReturn = byte == Self.carriageReturn
        beginLine(at: place + 1)
        isRowDone = true
        return true
    }

    private mutating func closeField() throws(ValetError) {
        let start = ends.last ?? 0
        if !isFieldASCII, String(validating: bytes[start...], as: UTF8.self) == nil {
            throw error("field \(ends.count + 1) is not UTF-8 text: save the file as UTF-8")
        }
        guard ends.count < Limits.columnsPerCSV else {
            throw error(
                "more than \(Limits.columnsPerCSV) fields (columnsPerCSV)", code: .limitExceeded)
        }
        ends.append(bytes.count)
        isFieldASCII = true
        state = .fieldStart
    }

    private mutating func beginLine(at start: Int) {
        line += 1
        lineStart = start
        continuations = 0
    }

    private func place(_ position: Int) -> Place {
        Place(line: line, column: position - lineStart - continuations + 1)
    }

    private func error(_ problem: String, at position: Int) -> ValetError {
        error(problem, place(position))
    }

    private func error(_ problem: String, _ place: Place) -> ValetError {
        ValetError(
            .storageFailed, "“\(file)”, line \(place.line), column \(place.column): \(problem)")
    }
}
