import ValetModel
import ValetTerminal

/// A condition of the command line that can't be read.
struct ConditionFailure: Error {
    let text: String
    let error: ConditionError

    /// The text, and carets under the place of the error; empty if that takes more than a line.
    var picture: String {
        let sanitizer = Sanitizer()
        let bytes = Array(text.utf8)
        let before = sanitizer.width(
            of: String(decoding: bytes[..<error.place.lowerBound], as: UTF8.self))
        let wrong = sanitizer.width(of: String(decoding: bytes[error.place], as: UTF8.self))
        let line = sanitizer.line(of: text)
        guard sanitizer.width(of: line) < Self.columns else { return "" }
        return "  \(line)\n  " + String(repeating: " ", count: before)
            + String(repeating: "^", count: max(1, wrong)) + "\n"
    }

    private static let columns = 76
}
