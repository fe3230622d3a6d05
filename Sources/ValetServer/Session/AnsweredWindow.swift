import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// The newest window of a view: what is needed to answer it again, because it stands and rows have
/// changed, or because its pages can't be read any more.
///
/// Holds no snapshot, only what the last answer named, so that a sleeping client keeps no old rows
/// alive. Time is a parameter.
struct AnsweredWindow {
    /// Without its held pages.
    let request: WindowRequest
    private let interval: TimeAmount
    /// Of the last answer.
    private(set) var revision: UInt64 = 0
    /// What the last answer said.
    private var shape = Shape()
    private var digest = Digest()
    /// Pages of the last answer that the client holds once all that were ordered are sent.
    private(set) var held: [PageName] = []
    private var answeredAt = NIODeadline.distantPast
    /// A look that must compute the answer waits until then.
    private(set) var restsUntil = NIODeadline.distantPast
    /// The revision of the last look that found the answer unchanged, or sent it.
    private(set) var looked: UInt64 = 0
    /// Pages of the last answer can't be had: it is answered again even if it does not stand.
    private(set) var isOutdated = false
    /// Rows may have changed, and the answer could not be given yet.
    var isPending = false
    /// It stands, and the client knows that it can't be answered again now.
    private var isTroubleTold = false

    /// The parts of the last answer that a quick look compares.
    private struct Shape {
        var version: UInt64 = 0
        var sectionsVersion: UInt64 = 0
        var listRows = 0
        var totalRows = 0
        var totalSections = 0
        var anchor = AnchorPlace(ordinal: 0)
        var range = 0..<0
        var leaves: [UInt64] = []
        /// Rows of the leaves.
        var span = 0..<0
        var firstSection = 0
        /// Rows of all sections of the window.
        var sections = 0..<0
    }

    init(_ request: WindowRequest) {
        var request = request
        request.held = []
        self.request = request
        let asked = request.answersPerSecond ?? UInt32(Limits.usualAnswersPerSecond)
        let rate = min(max(asked, 1), UInt32(Limits.answersPerSecond))
        interval = .nanoseconds(1_000_000_000 / Int64(rate))
    }

    /// True if changes concern it.
    var isWatching: Bool { request.answersPerSecond != nil || isOutdated }

    /// A page that the last answer named can't be had as it was.
    mutating func lost(_ page: PageName, isOutdated: Bool) {
        held.removeAll { $0 == page }
        if isOutdated { (self.isOutdated, isPending) = (true, true) }
    }

    /// The rows that it needs can't be had now. A window that stands waits on for them.
    ///
    /// - Returns: whether the client has to be told.
    mutating func failed() -> Bool {
        guard request.answersPerSecond != nil else {
            defer { gaveUp() }
            return isOutdated
        }
        defer { isTroubleTold = true }
        return !isTroubleTold
    }

    /// Newer rows are not waited for.
    mutating func gaveUp() {
        (isOutdated, isPending) = (false, false)
    }

    /// The window in newer rows, where a row that is gone keeps its place.
    func window(in rows: ArrangedRows) -> EffectiveWindow? {
        rows.window(
            at: request.anchor, rowsBefore: request.rowsBefore, rows: request.rows,
            last: shape.anchor.ordinal)
    }

    // MARK: Looks

    /// True if the answer is the same, as far as can be told in a microsecond: false also if that
    /// takes longer.
    mutating func isUnchanged(in shown: ShownRows) -> Bool {
        guard !isOutdated, !isTroubleTold, shown.listRows == shape.listRows, isAlike(shown.rows)
        else { return false }
        shape.version = shown.rows.arrangement.version
        (looked, isPending) = (shown.revision, false)
        return true
    }

    private func isAlike(_ rows: ArrangedRows) -> Bool {
        let (arrangement, order) = (rows.arrangement, rows.arrangement.order)
        if arrangement.version == shape.version { return true }
        guard arrangement.sectionsVersion == shape.sectionsVersion,
            rows.rowCount == shape.totalRows, rows.sectionCount == shape.totalSections
        else { return false }
        switch request.anchor {
        case .rowID, .rows:
            // Rows in leaves that are the same, at the same places, have not moved.
            guard let deciding = shape.anchor.deciding, deciding.allSatisfy(shape.span.contains)
            else { return false }
        case .ordinal, .path, .fraction, .end:
            guard rows.ordinal(of: request.anchor) == shape.anchor.ordinal else { return false }
        }
        guard !shape.range.isEmpty else { return true }
        var (alike, next) = (0, shape.span.lowerBound)
        order.forEachLeaf(in: shape.range) { leaf in
            guard alike < shape.leaves.count, leaf.number == shape.leaves[alike], leaf.first == next
            else { return }
            alike += 1
            next += leaf.rows
        }
        return next == shape.span.upperBound
            && order.section(ofRow: shape.range.lowerBound) == shape.firstSection
            && order.firstRow(ofSection: shape.firstSection) == shape.sections.lowerBound
            && order.firstRow(ofSection: order.section(ofRow: shape.range.upperBound - 1) + 1)
                == shape.sections.upperBound
    }

    /// Whether to send an answer.
    enum Verdict: Equatable {
        case send
        /// It is the same.
        case drop
        /// Only numbers have changed since an answer that is not old enough.
        case wait
    }

    mutating func judge(_ new: Digest, at now: NIODeadline) -> Verdict {
        restsUntil = now + interval
        if isOutdated || isTroubleTold || new.content != digest.content { return .send }
        if new.whole == digest.whole { return .drop }
        let numbers = TimeAmount.nanoseconds(1_000_000_000 / Int64(Limits.numbersPerSecond))
        return now < answeredAt + numbers ? .wait : .send
    }

    /// The answer is the same as the last.
    mutating func dropped(
        _ answer: WindowAnswer, _ window: EffectiveWindow, _ arrangement: Arrangement
    ) {
        (looked, isPending) = (answer.revision, false)
        shape = Shape(
            version: arrangement.version, sectionsVersion: answer.sectionsVersion,
            listRows: answer.listRows,
            totalRows: answer.totalRows, totalSections: answer.totalSections,
            anchor: window.anchor, range: window.range, leaves: window.leaves.map(\.number),
            span: Self.span(answer.pages.map { $0.first..<$0.first + $0.rows }),
            firstSection: answer.runs.first?.section ?? 0,
            sections: Self.span(answer.runs.map { $0.first..<$0.first + $0.count }))
    }

    /// The answer is sent. Its pages count as held, since it is answered again only when all of
    /// them were sent.
    mutating func sent(
        _ answer: WindowAnswer, _ digest: Digest, _ window: EffectiveWindow,
        _ arrangement: Arrangement, at now: NIODeadline
    ) {
        dropped(answer, window, arrangement)
        revision = answer.revision
        self.digest = digest
        held = answer.pages.map(\.name)
        (isOutdated, isTroubleTold) = (false, false)
        answeredAt = now
        restsUntil = now + interval
    }

    private static func span(_ ranges: [Range<Int>]) -> Range<Int> {
        guard let first = ranges.first, let last = ranges.last else { return 0..<0 }
        return first.lowerBound..<last.upperBound
    }
}

extension AnsweredWindow {
    /// What an answer says, its revision and times left out.
    struct Digest: Equatable {
        /// Titles and pages.
        var content = 0
        /// With totals and places.
        var whole = 0

        init() {}

        init(of answer: WindowAnswer) {
            var content = Hasher()
            content.combine(answer.sectionsVersion)
            content.combine(answer.rows)
            content.combine(answer.pages.first.map { answer.first - $0.first })
            for run in answer.runs {
                content.combine(run.title.utf8.count)
                // A string's own hash is the same for other bytes of equivalent text.
                for byte in run.title.utf8 { content.combine(byte) }
            }
            for page in answer.pages { content.combine(page.name) }
            self.content = content.finalize()
            var whole = Hasher()
            whole.combine(self.content)
            whole.combine(answer.totalRows)
            whole.combine(answer.listRows)
            whole.combine(answer.totalSections)
            whole.combine(answer.anchor)
            whole.combine(answer.anchorRow)
            whole.combine(answer.first)
            for run in answer.runs {
                whole.combine(run.section)
                whole.combine(run.first)
                whole.combine(run.count)
            }
            for page in answer.pages { whole.combine(page.first) }
            self.whole = whole.finalize()
        }
    }
}
