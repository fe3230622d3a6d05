import TestSupport
import ValetModel
import ValetProtocol

/// Mistakes that a server could make, made between it and its clients.
enum PlantedFault: CaseIterable, Sendable {
    /// Windows are not answered again after one commit.
    case skippedPublication
    case doubledEdit
    /// Two neighbouring commands change places.
    case reorderedEdits
    /// A page has the cells that its rows had before.
    case stalePage
    /// A command is acknowledged, and not carried out yet.
    case earlyAcknowledgement
}

/// What the proxy of a simulation is to do next.
final class Mischief: Sendable {
    enum Order: Equatable {
        case skip(revision: UInt64)
        /// Sends the next command a second time, under a later number of its writer.
        case double
        case reorder
        case stalePage
        case acknowledge(Outcome)
    }

    private struct State {
        var order: Order?
        /// By station: frames until its connection is cut.
        var framesLeft: [UInt64: Int] = [:]
        var cuts = 0
    }

    private let state = Mutex(State())

    func order(_ order: Order?) { state.withLock { $0.order = order } }

    /// Each of the other orders is carried out once.
    func take() -> Order? {
        state.withLock { state in
            defer { state.order = nil }
            return state.order
        }
    }

    var ordered: Order? { state.withLock(\.order) }

    func cut(_ station: Int, after frames: Int) {
        state.withLock { $0.framesLeft[UInt64(station)] = frames }
    }

    var cuts: Int { state.withLock(\.cuts) }

    /// Counts a frame. True if the connection is to be cut now.
    fileprivate func cuts(_ station: UInt64) -> Bool {
        state.withLock { state in
            guard let left = state.framesLeft[station] else { return false }
            state.framesLeft[station] = left > 0 ? left - 1 : nil
            state.cuts += left > 0 ? 0 : 1
            return left == 0
        }
    }
}

/// One connection of a station.
final class MischievousFilter: FrameFilter {
    private struct Asked: Hashable {
        let stream: UInt16
        let request: UInt32
    }

    private static let doubledRequest: UInt32 = 4_000_000_000
    private let mischief: Mischief
    private var station: UInt64 = .max
    private var heldBack: Frame?
    /// What was acknowledged, and all that comes after it, is held back for ever.
    private var holdsBackAll = false
    private var answered: Set<Asked> = []
    private var assembler = PageAssembler()
    private var pages: [[Int64]: DecodedPage] = [:]

    init(_ mischief: Mischief) {
        self.mischief = mischief
    }

    func fromClient(_ frame: Frame) -> [FramePassage] {
        if frame.kind == FrameKind.hello.rawValue, let hello = try? Hello(frame: frame) {
            station = hello.station.id.low
        }
        if mischief.cuts(station) { return [.cut] }
        if holdsBackAll { return [] }
        guard frame.kind == FrameKind.command.rawValue,
            var request = try? CommandRequest(frame: frame)
        else { return [.toServer(frame)] }
        switch mischief.ordered {
        case .reorder?:
            _ = mischief.take()
            heldBack = frame
            return []
        case .double?:
            _ = mischief.take()
            let name = request.command.name
            // So much later that the client's own numbers stay free, and are still taken.
            let number = name.number + UInt64(Limits.commandsRemembered) / 2
            request.request = Self.doubledRequest
            request.command.name = CommandName(writer: name.writer, number: number)
            request.command.group = number
            return [.toServer(frame), .toServer(Frame(request, stream: 0))]
        case .acknowledge(let outcome)?:
            _ = mischief.take()
            holdsBackAll = true
            let answer = OutcomeAnswer(request: request.request, outcome: outcome)
            return [.toClient(Frame(answer, stream: 0))]
        case .skip?, .stalePage?, nil: break
        }
        defer { heldBack = nil }
        return [.toServer(frame)] + (heldBack.map { [.toServer($0)] } ?? [])
    }

    func fromServer(_ frame: Frame) -> [FramePassage] {
        if mischief.cuts(station) { return [.cut] }
        if let answer = try? OutcomeAnswer(frame: frame), answer.request == Self.doubledRequest,
            frame.kind == FrameKind.outcome.rawValue
        {
            return []
        }
        if frame.kind == FrameKind.windowAnswer.rawValue,
            let answer = try? WindowAnswer(frame: frame)
        {
            let asked = Asked(stream: frame.stream, request: answer.request)
            let isFirst = answered.insert(asked).inserted
            if !isFirst, mischief.ordered == .skip(revision: answer.revision) { return [] }
        }
        if frame.kind == FrameKind.page.rawValue, let part = try? PageFrame(frame: frame),
            let raw = (try? assembler.add(part)) ?? nil, let page = try? DecodedPage(raw)
        {
            defer { pages[page.rowIDs] = page }
            if mischief.ordered == .stalePage, let older = pages[page.rowIDs], older != page {
                _ = mischief.take()
                return older.passages(as: part.name)
            }
        }
        return [.toClient(frame)]
    }
}
