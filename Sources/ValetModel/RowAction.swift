/// One of the things that the drawer of a row offers. Templates name columns in braces.
public struct RowAction: Hashable, Sendable {
    public enum Effect: Hashable, Sendable {
        /// Sets a column of the row to a value.
        case set(column: Int, Cell)
        /// Shows a message.
        case say(String)
        /// Puts a text on the person's clipboard.
        case copy(String)
        /// Puts a text in place of the list's title.
        case retitle(String)
        /// Opens another list.
        case open(list: String)
    }

    public var name: String
    public var effect: Effect

    public init(name: String, effect: Effect) {
        self.name = name
        self.effect = effect
    }

    /// The column that it sets.
    package var column: Int? { if case .set(let column, _) = effect { column } else { nil } }

    package var template: String? {
        switch effect {
        case .say(let text), .copy(let text), .retitle(let text): text
        case .set, .open: nil
        }
    }
}
