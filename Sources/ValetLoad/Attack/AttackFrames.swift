import NIOCore
import ValetModel
import ValetProtocol

/// The frames that one connection of an attacker sends, one after the other: a value.
struct AttackFrames {
    private let attack: Attack
    private let list: ListDescription
    private let rows: Int
    private var numbers: SeededNumbers
    private var request: UInt32 = 0
    private var viewsOpened: UInt16 = 0
    private var generation: UInt32 = 1
    private var lastCommand: UInt64 = 0
    /// Of the catalog, and whose commands they are; known once the server has said so.
    var epoch: UInt64 = 0
    var writer: WriterID?

    /// So many windows are asked for side by side: a newer one of the same view takes its place.
    private static let views: UInt16 = 32

    /// Whether nothing more will be sent.
    var isOver: Bool { attack == .deaf && request >= 2 }

    /// - Parameter rows: of the list.
    init(_ attack: Attack, on list: ListDescription, rows: Int, numbers: SeededNumbers) {
        (self.attack, self.list, self.rows, self.numbers) = (attack, list, rows, numbers)
    }

    /// Writes the next frame, if there is something to send now.
    mutating func write(into bytes: inout ByteBuffer) {
        request = request &+ 1 == 0 ? 1 : request &+ 1
        switch attack {
        case .pings, .slow: Ping(token: UInt64(request)).encode(stream: 0, into: &bytes)
        case .credits: Credit(byteCount: 0).encode(stream: 0, into: &bytes)
        // Its connections end before they say more.
        case .hellos: break
        case .windows, .unread:
            guard !openNextView(into: &bytes) else { return }
            anyWindow().encode(stream: anyView(), into: &bytes)
        case .deaf:
            switch request {
            case 1: _ = openNextView(into: &bytes)
            case 2:
                var window = anyWindow()
                window.answersPerSecond = UInt32(Limits.answersPerSecond)
                window.encode(stream: viewsOpened, into: &bytes)
            default: break
            }
        case .views:
            let stream = UInt16(truncatingIfNeeded: request / 2) % Self.views + 1
            if request.isMultiple(of: 2) {
                open(stream, into: &bytes)
            } else {
                CloseView(request: request).encode(stream: stream, into: &bytes)
            }
        case .conditions, .sorts:
            guard !openNextView(into: &bytes) else { return }
            generation += 1
            let query = RearrangeView(
                request: request, generation: generation, query: burningQuery())
            query.encode(stream: anyView(), into: &bytes)
        case .edits: writeEdit(into: &bytes)
        }
    }

    private mutating func anyWindow() -> WindowRequest {
        WindowRequest(
            request: request, generation: 1, anchor: .ordinal(numbers.below(max(1, rows))),
            rows: RunPlan.rowsPerWindow)
    }

    private mutating func anyView() -> UInt16 { UInt16(numbers.below(Int(Self.views))) + 1 }

    /// - Returns: whether there was another one to open.
    private mutating func openNextView(into bytes: inout ByteBuffer) -> Bool {
        guard viewsOpened < Self.views else { return false }
        viewsOpened += 1
        open(viewsOpened, into: &bytes)
        return true
    }

    private func open(_ stream: UInt16, into bytes: inout ByteBuffer) {
        let query = Query(grouping: list.groupings.first?.name)
        OpenView(request: request, generation: 1, list: list.name, query: query)
            .encode(stream: stream, into: &bytes)
    }

    /// What hardly anybody has asked for before.
    private mutating func burningQuery() -> Query {
        attack == .sorts ? sort() : condition()
    }

    private mutating func sort() -> Query {
        let columns = list.columns.shuffled(using: &numbers).prefix(6)
        return Query(
            sort: columns.map { Query.Sort(column: $0.name, isDescending: numbers.below(2) == 0) })
    }

    /// Letters within texts, for which each row is looked at.
    private mutating func condition() -> Query {
        let texts = list.columns.filter(\.isText)
        var query = Query(grouping: numbers.choice(of: list.groupings)?.name)
        guard let column = numbers.choice(of: texts) else { return query }
        let letters = (0..<3).map { _ in
            Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(numbers.below(26))))
        }
        query.conditions = [Condition(column: column.name, .contains, [.text(String(letters))])]
        return query
    }

    private mutating func writeEdit(into bytes: inout ByteBuffer) {
        guard let writer else {
            if request == 1 { WriterRequest(request: request).encode(stream: 0, into: &bytes) }
            return
        }
        guard let column = list.columns.lastIndex(where: { $0.isEditable && $0.isText }) else {
            return
        }
        lastCommand += 1
        let value = Cell.text("\(numbers.below(1_000))")
        let cells = [CellEdit(column: column, value: value, seen: .anything)]
        let row = Int64(1 + numbers.below(max(1, rows)))
        let command = Command(
            name: CommandName(writer: writer, number: lastCommand), list: list.name,
            change: .update([RowEdit(rowID: row, cells: cells)]))
        CommandRequest(request: request, epoch: epoch, command: command)
            .encode(stream: 0, into: &bytes)
    }
}
