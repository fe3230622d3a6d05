import ValetModel
import ValetProtocol

/// Identifies a view to its owner. Streams are reused but these numbers are not, so that late
/// messages of a closed view can't reach the next one.
struct ViewNumber: Hashable, Sendable {
    let rawValue: UInt64
}

/// The client's state of one view.
struct ClientView {
    let number: ViewNumber
    /// The requested columns, if the catalog was received before.
    var columns: AskedColumns?
    /// The newest query's generation.
    var generation: UInt32 = 1
    /// The newest query, until it is answered.
    var query: UInt32?
    /// The newest query's answer.
    var opened: Opened?
    var window: WindowSubscription?
    /// The last answered window request, which may be answered again.
    var answeredWindow: ClientSession.AskedRequest?
    var mirror = Mirror()
    var isClosing = false

    struct WindowSubscription {
        let request: UInt32
        /// Whether incomplete windows are delivered, too.
        let wantsParts: Bool
        /// Whether it goes on with other windows when it is whole.
        let isStanding: Bool
        var isAnswered = false
        /// A whole window was delivered: parts of newer ones are not.
        var hasBeenWhole = false
    }

    /// The view's properties from its last answer, with which later ones must agree.
    struct Opened {
        let generation: UInt32
        let hasIndex: Bool
        /// The newest revision in any answer.
        var revision: UInt64
        var totals: Totals
    }

    /// The number of the last answered window request, which stays in use [P101].
    var answeredRequest: UInt32? {
        guard case .windowRequest(let window) = answeredWindow?.message else { return nil }
        return window.request
    }
}

/// A view's row and section counts at a revision.
struct Totals: Equatable {
    let revision: UInt64
    let rows: Int
    let sections: Int
}

/// The columns of a list that a view requested.
struct AskedColumns: Equatable {
    /// The number of the list's columns.
    let count: Int
    let asked: Set<Int>

    /// Unknown names are left to the server, whose error lists the alternatives.
    init(_ names: [String], of list: ListDescription) {
        count = list.columns.count
        // A request may name thousands of columns, too many for a linear search each.
        let exact = Dictionary(
            list.columns.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: min)
        let found = names.compactMap { name in
            exact[Array(name.utf8)] ?? NameLookup.index(of: name, in: list.columns, by: \.name)
        }
        asked = names.isEmpty ? Set(list.columns.indices) : Set(found)
    }
}
