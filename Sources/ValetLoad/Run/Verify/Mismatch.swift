/// Something that a server sent and that can't be true.
struct Mismatch: Hashable, Sendable {
    /// What of an answer is wrong.
    enum Kind: String, Sendable, CaseIterable {
        /// Another stretch of the list than was asked for.
        case stretch
        /// Rows that don't stand in the order of their grouping.
        case order
        /// A row in two places, or two rows in one.
        case continuity
        /// Section runs that don't fit the rows, the totals, or each other.
        case sections
        /// Two answers of one revision that count differently.
        case totals
        /// An answer older than one that came before it.
        case revision
        /// A row that the search does not find, or rows of the file that it should have found.
        case search
        /// A cell that is not what the database file has.
        case cells
        /// An acknowledged command that is not in the file.
        case lost
        /// A command that was carried out twice.
        case doubled
        /// Commands that are not in the order of their revisions or numbers.
        case reordered
        /// An outcome that has changed, or a standing window that does not catch up.
        case stale
        /// A row count that does not follow from the acknowledged commands.
        case count
    }

    var kind: Kind
    /// One sentence for a person.
    var text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

extension Mismatch: CustomStringConvertible {
    var description: String { "\(kind.rawValue): \(text)" }
}
