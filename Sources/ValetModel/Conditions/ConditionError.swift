/// Why a text is no condition: what happened, to what, and where in the text.
package struct ConditionError: Error, Hashable, Sendable {
    /// The parts of a condition, in order.
    package enum Part: Hashable, Sendable {
        case column
        case comparison
        case value
    }

    package var code: ErrorCode
    /// One sentence for a person, without a full stop at the end.
    package var message: String
    /// The columns that there are, or the operators that the column takes; else empty.
    package var alternatives: [String]
    /// Offsets in the text's `utf8`, on bounds of scalars; empty where something is missing.
    package var place: Range<Int>
    /// What must stand at the place.
    package var expected: Part
    /// What stands there so far.
    package var typed: String
    /// Whether the text may become a condition when it is typed on.
    package var isIncomplete: Bool

    package var error: ValetError { ValetError(code, message, alternatives: alternatives) }
}
