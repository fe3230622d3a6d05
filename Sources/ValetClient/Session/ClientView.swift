import ValetModel
import ValetProtocol

/// A view as its owner calls it. A stream is used again for another view, this number is not, so
/// that what is left of a closed view can't reach the next one.
struct ViewNumber: Hashable, Sendable {
    let rawValue: UInt64
}

/// One view as its client knows it.
struct ClientView {
    let number: ViewNumber
    /// The columns that were asked for, if the catalog was read before.
    var columns: AskedColumns?
    /// Of the newest question.
    var generation: UInt32 = 1
    /// The newest question, until it is answered.
    var question: UInt32?
    /// The newest question's answer.
    var opened: Opened?
    var window: WindowSubscription?
    /// The window request that was answered last, which may be answered again.
    var answeredWindow: ClientSession.AskedRequest?
    var mirror = Mirror()
    var isClosing = false

    struct WindowSubscription {
        let request: UInt32
        /// Whether a window of which rows are missing is delivered, too.
        let wantsParts: Bool
        var isAnswered = false
    }

    /// What an answer said of the view, and what later ones must agree with.
    struct Opened {
        let generation: UInt32
        let hasIndex: Bool
        /// The newest revision that any answer named.
        var revision: UInt64
        var totals: Totals
    }

    init(number: ViewNumber, columns: AskedColumns?) {
        self.number = number
        self.columns = columns
    }
}

/// The rows and sections of a view at a revision.
struct Totals: Equatable {
    let revision: UInt64
    let rows: Int
    let sections: Int
}

/// The columns of a list that a view asked for.
struct AskedColumns: Equatable {
    /// How many the list has.
    let count: Int
    let asked: Set<Int>

    /// Names that no column has are left to the server, which says what there is instead.
    init(_ names: [String], of list: ListDescription) {
        count = list.columns.count
        // A request may name thousands, so that looking through the list for each would take long.
        let exact = Dictionary(
            list.columns.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: min)
        let found = names.compactMap { name in
            exact[Array(name.utf8)] ?? NameLookup.index(of: name, in: list.columns, by: \.name)
        }
        asked = names.isEmpty ? Set(list.columns.indices) : Set(found)
    }
}
