import NIOCore
import TestSupport
import ValetModel
import ValetProtocol

/// What a right server says of a thousand cars: ten sections of a hundred, pages of ten. A row's id
/// is its ordinal.
enum Cars {
    static let rows = 1_000
    static let rowsPerSection = 100
    static let rowsPerPage = 10
    static let list = ListDescription(
        name: "cars", title: "Cars", columns: .named(["make": .text, "year": .integer]),
        titleColumn: 0,
        groupings: [
            Grouping(name: "Make", column: 0, expression: .wholeValue, indexTitles: .firstLetter)
        ],
        scopes: [], cell: .columns)

    /// All answers to a message, in order.
    static func answers(_ message: ClientMessage) -> [ServerMessage] {
        switch message {
        case .hello: return [.welcome(Welcome(epoch: 7, server: "cars"))]
        case .ping(let ping): return [.pong(Pong(token: ping.token))]
        case .credit, .presence, .cancelRefresh: return []
        case .catalogRequest(let request): return [.catalogAnswer(catalog(request.request))]
        case .openView(let open):
            return [.viewOpened(opened(open.request, generation: open.generation))]
        case .rearrangeView(let rearrange):
            return [.viewOpened(opened(rearrange.request, generation: rearrange.generation))]
        case .closeView(let close): return [.viewClosed(ViewClosed(request: close.request))]
        case .windowRequest(let request):
            let answer = window(request)
            let missing = answer.pages.filter { !request.held.contains($0.name) }
            return [.windowAnswer(answer)]
                + missing.flatMap { page(Int($0.name.rawValue)).map(ServerMessage.page) }
        case .indexRequest(let request): return [.indexAnswer(index(request))]
        case .sectionsRequest(let request): return [.sectionsAnswer(sections(request))]
        case .locateRequest(let request): return [.locateAnswer(place(request))]
        case .aggregatesRequest(let request): return [.aggregatesAnswer(aggregates(request))]
        case .detailRequest(let request):
            let detail = DetailAnswer(
                request: request.request, revision: 5, rowID: request.rowID,
                cells: [.text("Make"), .integer(request.rowID)])
            return [.detailAnswer(detail)]
        case .refresh(let request):
            let notice = RefreshProgressNotice(
                request: request.request,
                progress: RefreshProgress(stage: .loading, done: 1, total: nil))
            let ending = RefreshEnding.done(added: 1, changed: 2, removed: 3)
            return [
                .refreshProgress(notice),
                .refreshed(Refreshed(request: request.request, ending: ending)),
            ]
        case .pieceRequest(let request):
            let count = max(0, min(100_000 - request.offset, Limits.bytesPerPiece))
            let piece = PieceAnswer(
                request: request.request, revision: 5, byteCount: 100_000,
                offset: request.offset, bytes: [UInt8](repeating: 65, count: count))
            return [.pieceAnswer(piece)]
        case .statisticsRequest(let request):
            var answer = StatisticsAnswer(request: request.request, statistics: ServerStatistics())
            answer.statistics.add(.views, 3)
            return [.statisticsAnswer(answer)]
        case .backupRequest(let request):
            let backup = BackupDescription(
                revision: 5, byteCount: 5, digest: Array(repeating: 0, count: 32))
            return [.backupAnswer(BackupAnswer(request: request.request, backup: backup))]
        case .blockRequest(let request):
            return [
                .blockAnswer(BlockAnswer(request: request.request, content: .plain(Array(0..<5))))
            ]
        case .writerRequest, .command, .retireWriter, .historyRequest, .follow, .unfollow:
            let error = ValetError(.readOnly, "these cars stay as they are")
            return [.error(ErrorAnswer(request: message.request ?? 0, error: error))]
        }
    }

    static func catalog(_ request: UInt32) -> CatalogAnswer {
        CatalogAnswer(
            request: request, total: 1, ordinal: 0,
            entry: CatalogAnswer.Entry(list: list, rowCount: rows))
    }

    static func opened(_ request: UInt32, generation: UInt32 = 1) -> ViewOpened {
        ViewOpened(
            request: request, generation: generation, epoch: 7, revision: 5, totalRows: rows,
            totalSections: rows / rowsPerSection, grouping: "Make", groupingColumn: 0,
            isSectioned: true, hasIndex: true, columns: [0, 1], times: Times())
    }

    static func window(_ request: WindowRequest) -> WindowAnswer {
        let anchor = ordinal(of: request.anchor)
        let start = max(0, min(anchor - min(request.rowsBefore, 1 << 53), rows))
        let wanted = anchor - min(request.rowsBefore, 1 << 53) + request.rows
        let range = start..<max(start, min(wanted, rows))
        let anchorRow: UInt32 =
            switch request.anchor {
            case .rowID, .rows: 1
            case .ordinal, .path, .fraction, .end: 0
            }
        return WindowAnswer(
            request: request.request, generation: request.generation, revision: 5, totalRows: rows,
            totalSections: rows / rowsPerSection, anchor: anchor, anchorRow: anchorRow,
            first: start, rows: range.count,
            runs: parts(of: range, rowsPerSection).map {
                SectionRun(
                    section: $0, title: "Make \($0)", first: $0 * rowsPerSection,
                    count: rowsPerSection)
            },
            pages: parts(of: range, rowsPerPage).map {
                PagePlace(
                    name: PageName(rawValue: UInt64($0)), first: $0 * rowsPerPage,
                    rows: rowsPerPage)
            })
    }

    private static func ordinal(of anchor: Anchor) -> Int {
        switch anchor {
        case .ordinal(let ordinal): min(ordinal, rows)
        case .path(let path):
            path.section < rows / rowsPerSection
                ? min(path.section * rowsPerSection + min(path.row, rows), rows) : rows
        case .rowID(let id): Int(id) % rows
        case .fraction(let fraction): (rows * Int(fraction)) >> 32
        case .end: rows
        case .rows(let listed, _): Int(listed[0].id) % rows - listed[0].line
        }
    }

    /// The numbers of the parts, each of so many rows, that a range lies in.
    private static func parts(of range: Range<Int>, _ size: Int) -> Range<Int> {
        range.isEmpty ? 0..<0 : range.lowerBound / size..<(range.upperBound - 1) / size + 1
    }

    static func index(_ request: IndexRequest) -> IndexAnswer {
        IndexAnswer(
            request: request.request, revision: 5,
            entries: (0..<min(10, request.mostTitles)).map {
                IndexEntry(title: "\($0)", section: $0, first: $0 * rowsPerSection)
            })
    }

    /// Of ten sections of a hundred rows, each value the number of rows.
    static func aggregates(_ request: AggregatesRequest) -> AggregatesAnswer {
        func values(_ count: Int) -> Aggregates.Rows {
            Aggregates.Rows(
                count: count, values: request.measures.map { _ in AggregateValue(Int128(count)) })
        }
        return AggregatesAnswer(
            request: request.request, generation: request.generation,
            aggregates: Aggregates(
                revision: 5, sectionsVersion: 1, allRows: request.wantsAllRows ? values(rows) : nil,
                sections: request.sections.filter { $0 < rows / rowsPerSection }.map {
                    Aggregates.Section(section: $0, rows: values(rowsPerSection))
                }))
    }

    static func sections(_ request: SectionsRequest) -> SectionsAnswer {
        let start =
            switch request.start {
            case .ordinal(let ordinal): min(ordinal, 10)
            case .title, .titlePrefix: 4
            }
        return SectionsAnswer(
            request: request.request, revision: 5,
            sections: (start..<min(start + request.mostSections, 10)).map {
                SectionSummary(
                    section: $0, title: "Make \($0)", first: $0 * rowsPerSection,
                    count: rowsPerSection, indexTitle: "M")
            })
    }

    static func place(_ request: LocateRequest) -> LocateAnswer {
        let ordinal = Int(request.rowID)
        guard (0..<rows).contains(ordinal) else {
            return LocateAnswer(request: request.request, revision: 5, place: nil)
        }
        let path = IndexPath(section: ordinal / rowsPerSection, row: ordinal % rowsPerSection)
        return LocateAnswer(
            request: request.request, revision: 5,
            place: LocateAnswer.Place(ordinal: ordinal, path: path))
    }

    /// A page by the number of its first row over ten.
    static func page(_ name: Int, rows: Int = rowsPerPage, columns: Int = 2) -> [PageFrame] {
        EmbeddedServer.page(UInt64(name), first: name * rowsPerPage, rows: rows, columns: columns)
            .compactMap { bytes in
                var bytes = bytes
                let frame = try? Frame(takingFrom: &bytes, payloadLimit: 1 << 20)
                return frame.flatMap { try? PageFrame(frame: $0) }
            }
    }
}
