import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

private let huge = Limits.largestCount

/// A server that breaks a rule is left, with an error that names the rule.
@Suite struct BrokenServerTests {
    /// Something wrong to say, and the rule that it breaks.
    struct Lie<Answer>: Sendable, CustomTestStringConvertible {
        let rule: String
        let tell: @Sendable (inout Answer) -> Void
        var testDescription: String { rule }

        init(_ rule: String, _ tell: @escaping @Sendable (inout Answer) -> Void) {
            self.rule = rule
            self.tell = tell
        }
    }

    private func expect(_ actions: [ClientAction], _ rule: String) {
        #expect(actions.reason?.code == .malformed)
        #expect(actions.reason?.message.contains("rule \(rule) ") == true, "\(actions)")
    }

    /// The server answers what is asked as `Cars` does, but for the lie.
    private func expect<Answer>(
        _ lie: Lie<Answer>, to asked: [ClientAction], in dialogue: inout Dialogue,
        _ wrap: (Answer) -> ServerMessage
    ) throws {
        let right = Cars.answers(try #require(asked.sentMessages.first))[0]
        var answer = try #require(Swift.Mirror(reflecting: right).descendant(0) as? Answer)
        #expect(dialogue.session.failure == nil)
        lie.tell(&answer)
        expect(dialogue.say(wrap(answer), stream: try asked.sent.stream), lie.rule)
    }

    @Test(arguments: [
        Lie<ViewOpened>("P40") { $0.columns = [9_999] },
        Lie("P40") { $0.columns = [0, 2] }, Lie("P40") { $0.columns = [1, 0, 1] },
        Lie("P40") { $0.columns = [0] }, Lie("P40") { $0.groupingColumn = 2 },
        Lie("P40") { $0.groupingColumn = huge }, Lie("P34") { $0.generation = 2 },
        Lie("P43") { $0.totalSections = 1_001 }, Lie("P43") { $0.totalSections = huge },
        Lie("P43") { $0.totalSections = 0 }, Lie("P23") { $0.request = 77 },
        Lie("P205") { $0.epoch = 8 },
    ])
    func views(lie: Lie<ViewOpened>) throws {
        var dialogue = try Dialogue.withCatalog()
        try expect(lie, to: dialogue.askOpen(), in: &dialogue, ServerMessage.viewOpened)
    }

    @Test func columnsOfAListThatIsNotKnownAreBoundedAndAreThereOnce() throws {
        for columns in [[2_000], [5, 5], [huge]] {
            var dialogue = Dialogue()
            let (request, stream) = try dialogue.askOpen().sent
            var answer = Cars.opened(request)
            answer.columns = columns
            expect(dialogue.say(.viewOpened(answer), stream: stream), "P40")
        }
    }

    @Test func columnsThatWereAskedForByNameMayNotBeLeftOut() throws {
        for (names, carried, isRight) in [
            (["YEAR"], [1], true), (["year"], [1, 0], true), (["year", "make"], [1], false),
            (["year"], [0], false),
        ] {
            var dialogue = try Dialogue.withCatalog()
            let (request, stream) = try dialogue.askOpen(columns: names).sent
            var answer = Cars.opened(request)
            answer.columns = carried
            let actions = dialogue.say(.viewOpened(answer), stream: stream)
            #expect((actions.reason == nil) == isRight)
        }
    }

    @Test(arguments: [
        Lie<WindowAnswer>("P41") { $0.anchor = 96 }, Lie("P41") { $0.first = 94 },
        Lie("P41") { $0.rows = 19 }, Lie("P41") { $0.rows = 0 },
        Lie("P41") { $0.totalRows = 105 }, Lie("P43") { $0.totalRows = 5 },
        Lie("P45") { $0.totalRows = 2_000 }, Lie("P45") { $0.totalRows = huge },
        Lie("P45") { $0.totalSections = 11 }, Lie("P43") { $0.totalSections = 1 },
        Lie("P34") { $0.generation = 2 }, Lie("P68") { $0.revision = 4 },
        Lie("P43") { $0.runs = [] }, Lie("P43") { $0.runs.removeLast() },
        Lie("P43") { $0.runs.removeFirst() }, Lie("P43") { $0.runs.swapAt(0, 1) },
        Lie("P43") { $0.runs[1].section = 0 }, Lie("P43") { $0.runs[1].section = huge },
        Lie("P43") { $0.runs[1].first = 101 }, Lie("P43") { $0.runs[0].count = 99 },
        Lie("P43") { $0.runs[0].count = 0 }, Lie("P43") { $0.runs[0].count = huge },
        Lie("P41") { $0.anchorRow = 1 }, Lie("P44") { $0.pages = [] },
        Lie("P44") { $0.pages.removeLast() },
        Lie("P44") { $0.pages.removeFirst() }, Lie("P44") { $0.pages.swapAt(0, 1) },
        Lie("P44") { $0.pages[1].first = 99 }, Lie("P44") { $0.pages[0].first = huge },
        Lie("P44") { $0.pages[0].rows = 0 }, Lie("P44") { $0.pages[0].rows = 9 },
        Lie("P48") { $0.pages[1].name = $0.pages[0].name }, Lie("P23") { $0.request = 77 },
    ])
    func windows(lie: Lie<WindowAnswer>) throws {
        var dialogue = try Dialogue.opened()
        let asked = try dialogue.askWindow(at: .ordinal(95), before: 2)
        try expect(lie, to: asked, in: &dialogue, ServerMessage.windowAnswer)
    }

    @Test func windowsByEveryAnchorAreChecked() throws {
        for (anchor, place, isRight) in [
            (Anchor.end, 1_000, true), (.end, 999, false), (.fraction(1 << 31), 500, true),
            (.fraction(1 << 31), 501, false), (.fraction(.max), 999, true),
            (.rowID(4), 7, true), (.rowID(4), 1_000, false),
            (.rows([AnchorRow(id: 9, line: 2)], otherwise: .end), 7, true),
            (.path(IndexPath(section: 3, row: 4)), 304, true),
            (.path(IndexPath(section: 10, row: 4)), 304, false),
            (.path(IndexPath(section: Int.max, row: Int.max)), 1_000, true),
            (.ordinal(Int.max), 1_000, true), (.ordinal(1_001), 999, false),
        ] {
            var dialogue = try Dialogue.opened()
            let request = try dialogue.askWindow(at: anchor, before: 30, rows: 10).window
            var asked = request
            asked.anchor = .ordinal(place)
            var answer = Cars.window(asked)
            answer.anchorRow = Cars.window(request).anchorRow
            let actions = dialogue.say(.windowAnswer(answer), stream: 1)
            #expect((actions.reason == nil) == isRight, "\(anchor) at \(place)")
        }
    }

    @Test func countsNearTheLargestOverflowNothing() throws {
        var dialogue = Dialogue()
        let (request, stream) = try dialogue.askOpen().sent
        var opened = Cars.opened(request)
        opened.totalRows = huge
        opened.totalSections = 1
        #expect(dialogue.say(.viewOpened(opened), stream: stream).reason == nil)
        for (anchor, place) in [
            (Anchor.end, huge), (.ordinal(Int.max), huge),
            (.fraction(.max), huge - (1 << 21)), (.ordinal(huge - 1), huge - 1),
        ] {
            let request = try dialogue.askWindow(at: anchor, before: Int.max, rows: 0).window
            let answer = WindowAnswer(
                request: request.request, generation: 1, revision: 5, totalRows: huge,
                totalSections: 1, anchor: place, first: 0, rows: 0, runs: [], pages: [])
            #expect(dialogue.say(.windowAnswer(answer), stream: 1).reason == nil, "\(anchor)")
        }
        let last = try dialogue.askWindow(at: .end, before: 2, rows: 1_024).window
        let place = PagePlace(name: PageName(rawValue: 1), first: huge - 64, rows: 64)
        let run = SectionRun(section: 0, title: "", first: 0, count: huge)
        let answer = WindowAnswer(
            request: last.request, generation: 1, revision: 5, totalRows: huge, totalSections: 1,
            anchor: huge, first: huge - 2, rows: 2, runs: [run], pages: [place])
        #expect(dialogue.say(.windowAnswer(answer), stream: 1).windows == [.success(0)])
    }

    @Test(arguments: [
        Lie<IndexAnswer>("P62") { $0.entries.append($0.entries[0]) },
        Lie("P62") { $0.entries.swapAt(0, 1) }, Lie("P62") { $0.entries[2].section = 1 },
        Lie("P62") { $0.entries[2].first = 100 }, Lie("P62") { $0.entries[4].section = 10 },
        Lie("P62") { $0.entries[4].section = huge }, Lie("P62") { $0.entries[4].first = 1_000 },
        Lie("P62") { $0.entries[4].first = huge }, Lie("P68") { $0.revision = 1 },
    ])
    func indexes(lie: Lie<IndexAnswer>) throws {
        var dialogue = try Dialogue.opened()
        let asked = try dialogue.ask(view: 1, Asking.index(most: 5))
        try expect(lie, to: asked, in: &dialogue, ServerMessage.indexAnswer)
    }

    @Test(arguments: [
        Lie<SectionsAnswer>("P63") { $0.sections.append($0.sections[0]) },
        Lie("P63") { $0.sections.removeFirst() }, Lie("P63") { $0.sections.removeLast() },
        Lie("P63") { $0.sections = [] }, Lie("P63") { $0.sections.swapAt(0, 1) },
        Lie("P63") { $0.sections[1].first = 401 }, Lie("P63") { $0.sections[1].count = 0 },
        Lie("P63") { $0.sections[2].count = 10_000 }, Lie("P63") { $0.sections[2].count = huge },
        Lie("P63") { $0.sections[0].section = 2 }, Lie("P63") { $0.sections[0].section = huge },
    ])
    func sections(lie: Lie<SectionsAnswer>) throws { try expectSections(lie, .inPlace) }

    private func expectSections(_ lie: Lie<SectionsAnswer>, _ order: SectionsRequest.Order) throws {
        var dialogue = try Dialogue.opened()
        let asked = try dialogue.ask(view: 1, Asking.sections(from: 3, most: 3, order: order))
        try expect(lie, to: asked, in: &dialogue, ServerMessage.sectionsAnswer)
    }

    @Test(arguments: [
        Lie<SectionsAnswer>("P63") { $0.sections.append($0.sections[0]) },
        Lie("P63") { $0.sections.removeLast() }, Lie("P63") { $0.sections = [] },
        Lie("P150") { $0.sections.swapAt(0, 1) }, Lie("P150") { $0.sections[0].count = 9 },
        Lie("P151") { $0.sections[1].count = 0 }, Lie("P151") { $0.sections[1].section = 3 },
        Lie("P151") { $0.sections[2].count = 10_000 }, Lie("P151") { $0.sections[2].first = 401 },
        Lie("P151") { $0.sections[0].section = huge }, Lie("P151") { $0.sections[0].count = huge },
    ])
    func sectionsByRows(lie: Lie<SectionsAnswer>) throws {
        try expectSections(lie, .byRows)
    }

    @Test(arguments: [
        Lie<AggregatesAnswer>("P34") { $0.generation = 2 }, Lie("P23") { $0.request = 77 },
        Lie("P68") { $0.aggregates.revision = 1 },
        Lie("P155") { $0.aggregates.allRows = nil },
        Lie("P155") { $0.aggregates.allRows?.count = 999 },
        Lie("P155") { $0.aggregates.sections.swapAt(0, 1) },
        Lie("P155") { $0.aggregates.sections[1].section = 4 },
        Lie("P155") { $0.aggregates.sections.append($0.aggregates.sections[0]) },
        Lie("P155") { $0.aggregates.sections[0].rows.count = 0 },
        Lie("P155") { $0.aggregates.sections[0].rows.count = Limits.largestCount },
        Lie("P156") { $0.aggregates.allRows?.values = [] },
        Lie("P156") { $0.aggregates.sections[0].rows.values.append(.none) },
    ])
    func aggregates(lie: Lie<AggregatesAnswer>) throws {
        var dialogue = try Dialogue.opened()
        let asked = try dialogue.ask(view: 1, Asking.aggregates(sections: [3, 1]))
        try expect(lie, to: asked, in: &dialogue, ServerMessage.aggregatesAnswer)
    }

    @Test(arguments: [
        (1_000, 9, 100), (5, 0, 6), (5, 10, 0), (5, 6, 0), (0, 0, huge), (huge, 0, 0),
    ])
    func places(ordinal: Int, section: Int, row: Int) throws {
        var dialogue = try Dialogue.opened()
        let request = try dialogue.ask(view: 1, Asking.place(ofRow: 5)).request
        let place = LocateAnswer.Place(
            ordinal: ordinal, path: IndexPath(section: section, row: row))
        let answer = LocateAnswer(request: request, revision: 5, place: place)
        expect(dialogue.say(.locateAnswer(answer), stream: 1), "P64")
    }

    @Test(arguments: [0, 1, 3]) func aDetailHasACellForEachColumn(count: Int) throws {
        var dialogue = try Dialogue.withCatalog()
        let request = try dialogue.askDetail(list: "CARS").request
        let cells = [Cell](repeating: .null, count: count)
        let answer = DetailAnswer(request: request, revision: 1, rowID: 1, cells: cells)
        expect(dialogue.say(.detailAnswer(answer)), "P65")
    }

    @Test func aDetailOfAnotherRowIsRefused() throws {
        var dialogue = Dialogue()
        let request = try dialogue.askDetail(rowID: 1).request
        let answer = DetailAnswer(request: request, revision: 1, rowID: 2, cells: [.null])
        expect(dialogue.say(.detailAnswer(answer)), "P65")
    }

    @Test(arguments: [(9, 100, 10), (11, 100, 10), (10, 100, 0), (huge, 100, 0)])
    func pieces(offset: Int, byteCount: Int, count: Int) throws {
        var dialogue = Dialogue()
        let request = try dialogue.ask(Asking.piece(offset: 10)).request
        let bytes = [UInt8](repeating: 1, count: count)
        let answer = PieceAnswer(
            request: request, revision: 1, byteCount: byteCount, offset: offset, bytes: bytes)
        expect(dialogue.say(.pieceAnswer(answer)), "P66")
    }

    @Test(arguments: [[(1, 3)], [(0, 3), (2, 3)], [(0, 3), (0, 3)], [(0, 3), (1, 4)]])
    func catalogsComeInOrderAndAreOfOneLength(answers: [(ordinal: Int, total: Int)]) throws {
        var dialogue = Dialogue()
        let request = try dialogue.askCatalog().request
        let entry = CatalogAnswer.Entry(list: Cars.list, rowCount: nil)
        let last = answers.map { ordinal, total in
            dialogue.say(
                .catalogAnswer(
                    CatalogAnswer(request: request, total: total, ordinal: ordinal, entry: entry)))
        }.last
        expect(last ?? [], "P29")
    }

    @Test func aCatalogHasALimit() throws {
        var dialogue = Dialogue()
        let request = try dialogue.askCatalog().request
        let entry = CatalogAnswer.Entry(list: Cars.list, rowCount: nil)
        let actions = dialogue.hear { session, now, actions in
            for ordinal in 0..<1_000 {
                session.received(
                    .catalogAnswer(
                        CatalogAnswer(
                            request: request, total: 1_000, ordinal: ordinal, entry: entry)),
                    stream: 0, byteCount: 1 << 20, at: now, &actions)
            }
        }
        let limit = Limits.bytesPerCatalog
        #expect(
            actions == [.close(.limit("bytes per catalog", is: limit, asked: limit + (1 << 20)))])
    }

    @Test func answersOfAnotherKindOrStreamOrWithoutARequestAreRefused() throws {
        var other = Dialogue()
        let catalog = try other.askCatalog().request
        expect(
            other.say(
                .statisticsAnswer(
                    StatisticsAnswer(request: catalog, statistics: ServerStatistics()))), "P23")
        var astray = Dialogue()
        let open = try astray.askOpen().request
        expect(astray.say(.viewOpened(Cars.opened(open)), stream: 2), "P24")
        var idle = Dialogue()
        let error = ErrorAnswer(request: 1, error: ValetError(.superseded, "newer"))
        expect(idle.say(.error(error)), "P23")
        var twice = Dialogue()
        let detail = try twice.askDetail().request
        let answer = DetailAnswer(request: detail, revision: 0, rowID: 1, cells: [])
        #expect(twice.say(.detailAnswer(answer)).reason == nil)
        expect(twice.say(.detailAnswer(answer)), "P23")
        var lost = Dialogue()
        let page = ErrorAnswer(request: 0, error: ValetError(.storageFailed, "locked"))
        expect(lost.say(.error(page), stream: 4), "P27")
    }

    @Test func aViewThatFailedHasNoAnswers() throws {
        var dialogue = Dialogue()
        let open = try dialogue.askOpen().request
        let newer = try dialogue.rearrange().request
        let error = ErrorAnswer(request: open, error: ValetError(.unknownList, "none"))
        _ = dialogue.say(.error(error), stream: 1)
        expect(dialogue.say(.viewOpened(Cars.opened(newer, generation: 2)), stream: 1), "P37")
    }

    @Test func aViewIsClosedLast() throws {
        var dialogue = try Dialogue.opened()
        _ = try dialogue.askWindow()
        let close = try dialogue.close().request
        expect(dialogue.say(.viewClosed(ViewClosed(request: close)), stream: 1), "P36")
    }

    @Test func pagesBeyondTheCreditAreRefused() throws {
        var dialogue = Dialogue()
        let size = ClientSession.largestPageFrame
        let page = Cars.page(1)[0]
        let frames = Dialogue.hello.creditBytes / size
        let actions = dialogue.hear { session, now, actions in
            for _ in 0...frames {
                session.received(.page(page), stream: 0, byteCount: size, at: now, &actions)
            }
        }
        #expect(actions.count == 1)
        expect(actions, "P60")
    }

    @Test func aPartIsNotLongerThanAFrameTakes() {
        var dialogue = Dialogue()
        let count = Limits.bytesPerPageFrame + 1
        let sizes = PageFrame.Sizes(rawBytes: count, encodedBytes: count, isCompressed: false)
        let part = ByteBuffer(repeating: 0, count: count)
        let page = PageFrame(name: PageName(rawValue: 1), sizes: sizes, part: part)
        expect(dialogue.say(.page(page)), "P52")
    }

    @Test func aVersionThatWasNotOfferedIsRefused() {
        var dialogue = Dialogue(hello: Dialogue.hello)
        var welcome = Welcome(epoch: 7, server: "fake")
        welcome.version = 2
        expect(dialogue.say(.welcome(welcome)), "P15")
    }
}
