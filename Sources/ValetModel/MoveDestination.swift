/// The destination of moved rows in a list's manual order.
public enum MoveDestination: Hashable, Sendable {
    case first
    case last
    case behind(Neighbour)
    case before(Neighbour)

    /// The row next to which the moved rows are put.
    public struct Neighbour: Hashable, Sendable {
        public var rowID: Int64
        /// The list's revision at which the person saw the row. If the row was moved since, the
        /// move is a conflict; nil allows any place.
        public var seen: UInt64?
        /// The grouping whose section of the neighbour the rows join: they get its value in the
        /// grouping's column.
        public var joining: String?

        public init(rowID: Int64, seen: UInt64? = nil, joining: String? = nil) {
            self.rowID = rowID
            self.seen = seen
            self.joining = joining
        }
    }

    public var neighbour: Neighbour? {
        switch self {
        case .first, .last: nil
        case .behind(let neighbour), .before(let neighbour): neighbour
        }
    }
}
