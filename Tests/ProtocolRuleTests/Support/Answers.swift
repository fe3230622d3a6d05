/// Answers as PROTOCOL.md lays them out.

struct ErrorFrame {
    var stream: UInt16
    var request: Int
    var code: Int
    var message: String
    var alternatives: [String]
    var millisecondsToWait: Int

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        stream = frame.stream
        request = try fields.count()
        code = try fields.count()
        message = try fields.text()
        alternatives = try fields.list { try $0.text() }
        millisecondsToWait = try fields.count()
        try fields.end()
    }
}

struct OpenedFrame {
    var stream: UInt16
    var request: Int
    var generation: Int
    var epoch: UInt64
    var revision: UInt64
    var rows: Int
    var sections: Int
    var grouping: String
    var groupingColumn: Int?
    var isSectioned: Bool
    var hasIndex: Bool
    var columns: [Int]

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        stream = frame.stream
        request = try fields.count()
        generation = try fields.count()
        epoch = try fields.fixed(8)
        revision = try fields.varint()
        rows = try fields.count()
        sections = try fields.count()
        grouping = try fields.text()
        groupingColumn = try fields.optional { try $0.count() }
        isSectioned = try fields.bool()
        hasIndex = try fields.bool()
        columns = try fields.list { try $0.count() }
        _ = (try fields.count(), try fields.count())
        try fields.end()
    }
}

struct WindowFrame {
    struct Place: Equatable {
        var name: UInt64
        var first: Int
        var rows: Int
    }

    var request: Int
    var generation: Int
    var revision: UInt64
    var totalRows: Int
    var totalSections: Int
    var listRows: Int
    var sectionNumber: UInt64
    var anchor: Int
    var anchorRow: Int
    var first: Int
    var rows: Int
    var runs: [SectionFrame]
    var pages: [Place]

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        request = try fields.count()
        generation = try fields.count()
        revision = try fields.varint()
        totalRows = try fields.count()
        totalSections = try fields.count()
        listRows = try fields.count()
        sectionNumber = try fields.varint()
        anchor = try fields.count()
        anchorRow = try fields.count()
        first = try fields.count()
        rows = try fields.count()
        runs = try fields.list {
            SectionFrame(
                section: try $0.count(), title: try $0.text(), first: try $0.count(),
                rows: try $0.count())
        }
        pages = try fields.list {
            Place(name: try $0.fixed(8), first: try $0.count(), rows: try $0.count())
        }
        _ = (try fields.count(), try fields.count())
        try fields.end()
    }

    /// The rows of the window, put together from its pages.
    func rows(from pages: [UInt64: RawPage]) throws -> [(id: Int64, cells: [RawCell])] {
        var rows: [(id: Int64, cells: [RawCell])] = []
        for place in self.pages {
            guard let page = pages[place.name], page.rowIDs.count == place.rows else {
                throw Malformed(what: "a page of other rows")
            }
            for row in 0..<place.rows where (first..<first + self.rows).contains(place.first + row)
            {
                rows.append((page.rowIDs[row], page.columns.map { $0[row] }))
            }
        }
        return rows
    }
}

/// A section, as lists of sections and windows have it.
struct SectionFrame: Equatable {
    var section: Int
    var title: String
    var first: Int
    var rows: Int
    /// Windows have none.
    var indexTitle: String?
    var isUnknown = false

    static func all(_ frame: RawFrame) throws -> [SectionFrame] {
        var fields = frame.fields
        _ = (try fields.count(), try fields.varint())
        let sections = try fields.list {
            SectionFrame(
                section: try $0.count(), title: try $0.text(), first: try $0.count(),
                rows: try $0.count(), indexTitle: try $0.optional { try $0.text() },
                isUnknown: try $0.bool())
        }
        try fields.end()
        return sections
    }
}

enum RawCell: Equatable {
    case null
    case integer(Int64)
    case real(UInt64)
    case text(String)
    /// Bytes that are there, and how many there are.
    case malformed([UInt8], Int)
    case cut(String, Int)
    case blob([UInt8], Int)

    init(_ fields: inout Fields) throws {
        switch try fields.byte() {
        case 0: self = .null
        case 1: self = .integer(try fields.signed())
        case 2: self = .real(try fields.fixed(8))
        case 3: self = .text(try fields.text())
        case 4: self = .malformed(try fields.take(try fields.count()), try fields.count())
        case 5: self = .cut(try fields.text(), try fields.count())
        case 6: self = .blob(try fields.take(try fields.count()), try fields.count())
        default: throw Malformed(what: "a cell of no kind")
        }
    }

    init(of bytes: [UInt8]) throws {
        var fields = Fields(bytes)
        try self.init(&fields)
    }
}
