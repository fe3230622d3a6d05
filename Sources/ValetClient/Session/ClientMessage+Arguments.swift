import NIOCore
import ValetModel
import ValetProtocol

/// Checks arguments before they are sent: the server would refuse them or close the connection, and
/// negative numbers would be sent as 0.
extension ClientMessage {
    func checkArguments(_ limits: ServerLimits) throws(ValetError) {
        switch self {
        case .hello, .catalogRequest, .closeView, .locateRequest, .credit, .ping,
            .statisticsRequest, .writerRequest, .retireWriter, .unfollow, .cancelRefresh,
            .backupRequest:
            break
        case .blockRequest(let block): try Self.check("block", block.block)
        case .openView(let open):
            try Self.check("list name", open.list)
            try Self.check("count of columns", open.columns.count, limit: Limits.columnsPerList)
            for column in open.columns { try Self.check("column name", column) }
            try Self.check(open.query)
        case .rearrangeView(let rearrange): try Self.check(rearrange.query)
        case .windowRequest(let window): try Self.check(window, limits)
        case .indexRequest(let index):
            try Self.check("titles per index", index.mostTitles, limit: Limits.titlesPerIndex)
        case .sectionsRequest(let sections):
            switch sections.start {
            case .ordinal(let ordinal): try Self.check("section", ordinal)
            case .title(let title), .titlePrefix(let title): try Self.check("section title", title)
            }
            try Self.check(
                "sections per answer", sections.mostSections, limit: Limits.sectionsPerAnswer)
        case .aggregatesRequest(let aggregates):
            try Self.check(
                "measures per request", aggregates.measures.count, limit: Limits.measuresPerRequest)
            for measure in aggregates.measures { try Self.check("column name", measure.column) }
            try Self.check(
                "sections of aggregates", aggregates.sections.count,
                limit: Limits.sectionsPerAggregates)
            for section in aggregates.sections { try Self.check("section", section) }
        case .detailRequest(let detail): try Self.check("list name", detail.list)
        case .pieceRequest(let piece):
            try Self.check("list name", piece.list)
            try Self.check("column name", piece.column)
            try Self.check("offset", piece.offset)
        case .command(let command): try command.check()
        case .historyRequest(let history):
            try Self.check("list name", history.list)
            try Self.check("place in a revision", history.before?.place ?? 0)
            try Self.check(
                "entries per history", history.mostEntries, limit: Limits.changesPerAnswer)
        case .follow(let follow):
            try Self.check("list name", follow.list)
            try Self.check("place in a revision", follow.start?.after.place ?? 0)
        case .refresh(let refresh): try Self.check("list name", refresh.list)
        case .presence(let notice): try Self.check("list name", notice.presence.list)
        }
        try checkSize(limits)
    }

    /// Only commands and the names of many columns can exceed the standard limit; a server may set
    /// a lower one.
    private func checkSize(_ limits: ServerLimits) throws(ValetError) {
        let isLong =
            switch self {
            case .openView, .rearrangeView, .command: true
            case .hello, .catalogRequest, .closeView, .windowRequest, .indexRequest,
                .sectionsRequest, .locateRequest, .detailRequest, .pieceRequest, .credit, .ping,
                .statisticsRequest, .writerRequest, .retireWriter, .historyRequest, .follow,
                .unfollow, .refresh, .cancelRefresh, .presence, .aggregatesRequest, .backupRequest,
                .blockRequest:
                limits.bytesPerFrame < Limits.bytesPerClientFrame
            }
        guard isLong else { return }
        var bytes = ByteBuffer()
        encode(stream: 0, into: &bytes)
        let size = bytes.readableBytes - Frame.headerBytes
        guard size <= limits.bytesPerFrame else {
            throw .limit("bytes per frame", is: limits.bytesPerFrame, asked: size)
        }
    }

    private static func check(_ window: WindowRequest, _ limits: ServerLimits) throws(ValetError) {
        try check(window.anchor)
        try check("rows before the anchor", window.rowsBefore)
        try check("rows per window", window.rows, limit: limits.rowsPerWindow)
    }

    private static func check(_ anchor: Anchor) throws(ValetError) {
        switch anchor {
        case .ordinal(let ordinal): try check("ordinal", ordinal)
        case .path(let path):
            try check("section", path.section)
            try check("row in a section", path.row)
        case .rowID, .fraction, .end: break
        case .rows(let rows, let otherwise):
            try check("rows per anchor", rows.count, limit: Limits.rowsPerAnchor)
            if case .rows = otherwise {
                throw ValetError(.unexpected, "rows can't be the fallback of an anchor of rows")
            }
            try check(otherwise)
        }
    }

    private static func check(_ query: Query) throws(ValetError) {
        if let grouping = query.grouping { try check("grouping name", grouping) }
        if case .ranges(let bounds)? = query.expression {
            try check("bounds", bounds.count, limit: Limits.boundsPerGrouping)
        }
        try check("sorts", query.sort.count, limit: Limits.sortsPerQuery)
        for sort in query.sort { try check("column name", sort.column) }
        try check("conditions", query.conditions.count, limit: Limits.conditionsPerQuery)
        for condition in query.conditions { try check(condition) }
        guard let search = query.search else { return }
        try check("search text", search.text, limit: Limits.bytesPerSearch)
        if let scope = search.scope { try check("scope name", scope) }
    }

    private static func check(_ condition: Condition) throws(ValetError) {
        try check("column name", condition.column)
        let counts = condition.comparison.valueCounts
        try check("values", condition.values.count, limit: counts.upperBound)
        guard condition.values.count >= counts.lowerBound else {
            throw ValetError(
                .invalidCondition, "the condition on “\(condition.column)” has no value")
        }
        for value in condition.values {
            switch value {
            case .integer, .real: break
            case .text(let text): try check("value", text, limit: Limits.bytesPerSearch)
            case .null, .malformedText, .cutText, .blob:
                throw ValetError(
                    .invalidCondition,
                    "“\(condition.column)” can be compared with numbers and texts only")
            }
        }
    }

    static func check(
        _ what: String, _ text: String, limit: Int = Limits.bytesPerName
    ) throws(ValetError) {
        let count = text.utf8.count
        guard count <= limit else { throw .limit("bytes of \(what)", is: limit, asked: count) }
    }

    private static func check(_ what: String, _ number: Int, limit: Int = .max) throws(ValetError) {
        guard number >= 0 else {
            throw ValetError(.limitExceeded, "\(what) must not be negative, asked for \(number)")
        }
        guard number <= limit else { throw .limit(what, is: limit, asked: number) }
    }
}

extension CommandRequest {
    /// A command must be read as it was meant: the reader's checks are the rules.
    fileprivate func check() throws(ValetError) {
        try ClientMessage.check("list name", command.list)
        var bytes = ByteBuffer()
        write(into: &bytes)
        let frame = Frame(kind: Self.kind.rawValue, payload: bytes)
        guard try CommandRequest(frame: frame) == self else {
            throw ValetError(.malformed, "a command with a negative number")
        }
    }
}
