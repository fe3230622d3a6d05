/// What somebody may do in a list.
package struct Rights: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let see = Rights(rawValue: 1)
    /// Insert rows.
    package static let add = Rights(rawValue: 2)
    /// Set cells, and move rows.
    package static let edit = Rights(rawValue: 4)
    package static let delete = Rights(rawValue: 8)
    /// Set what the list's actions set, and check rows.
    package static let act = Rights(rawValue: 16)
    /// Load the list anew.
    package static let administer = Rights(rawValue: 32)

    package static let change: Rights = [.add, .edit, .delete, .act]
    package static let all: Rights = [.see, .change, .administer]

    /// As people write them.
    package static let words: [(String, Rights)] = [
        ("see", .see), ("add", .add), ("edit", .edit), ("delete", .delete), ("act", .act),
        ("administer", .administer),
    ]
}
