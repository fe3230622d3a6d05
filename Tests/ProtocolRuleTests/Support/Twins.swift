import ValetModel

/// A request, apart from its number.
struct Question {
    var kind: UInt8
    var stream: UInt16 = 0
    var payload: [UInt8]
    /// For people.
    var words: String
}

/// Random requests about cars, of which some name what is hidden from one who asks.
struct Questions {
    private var random: SeededNumbers
    /// By stream: the generation of an open view.
    private var open: [UInt16: Int] = [:]

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    private static let lists = ["cars", "cars", "cars", "cars", "CARS", "staff", "nothing"]
    private static let columns = [
        "id", "garage", "make", "model", "year", "seen", "washed", "owner", "price", "PRICE",
        "nothing",
    ]
    private static let groupings = [
        "Make", "Year", "Seen", "Owner", "Price", "Flat", "Flat", "Flat", "Nothing",
    ]
    private static let scopes = [
        "Any", "Words", "Here", "Here", "Here", "Owner", "Cheap", "Nothing",
    ]
    private static let texts = [
        "make 3", "Make", "owner", "owner", "Owner 1", "OWNER 2", "model 2", "19", "7", "zz",
        "make 1955", "b", "a",
        "1.5", "",
    ]

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func rowID() -> Int64 {
        chance(95) ? Int64(number(1...405)) : one(of: [0, -1, .min, .max, 100_000])
    }

    private mutating func cell() -> [UInt8] {
        switch number(0...4) {
        case 0: integerCell(Int64(number(-1...2_000)))
        case 1: [2] + u64(Double(number(0...600)).bitPattern)
        case 2: textCell(one(of: ["2020-02", "2020-03-01"]))
        default: textCell(one(of: Self.texts))
        }
    }

    private mutating func condition() -> [UInt8] {
        let comparison = UInt8(number(0...9))
        let count = comparison < 2 ? number(1...3) : comparison < 8 ? 1 : 0
        return text(one(of: Self.columns)) + [comparison] + list((0..<count).map { _ in cell() })
    }

    private mutating func query() -> [UInt8] {
        let grouping: String? =
            chance(20) ? nil : one(of: chance(75) ? Self.groupings : Self.columns)
        let expression: [UInt8]? =
            grouping != nil && chance(15) ? [UInt8(one(of: [1, 2, 3, 7]))] : nil
        let sort = (0..<(chance(20) ? number(1...2) : 0)).map { _ in
            (one(of: Self.columns), chance(50))
        }
        let search: String? = chance(60) ? one(of: Self.texts) : nil
        let scope: String? = chance(60) ? one(of: Self.scopes) : nil
        let conditions = (0..<(chance(25) ? number(1...2) : 0)).map { _ in condition() }
        return RuleClient.query(
            grouping: grouping, expression: expression, sort: sort, search: search, scope: scope,
            conditions: conditions)
    }

    private mutating func view() -> (stream: UInt16, generation: Int)? {
        let streams = open.keys.sorted()
        if streams.isEmpty { return nil }
        let stream = one(of: streams)
        return (stream, open[stream] ?? 1)
    }

    mutating func next() -> Question {
        let name = text(one(of: Self.lists))
        if let view = view(), chance(60) { return next(about: view.stream, view.generation) }
        switch number(0...9) {
        case 0: return Question(kind: 0x03, payload: [1], words: "catalog")
        case 1...4:
            let stream = UInt16(number(1...6))
            let columns = (0..<(chance(40) ? number(1...4) : 0)).map { _ in
                text(one(of: Self.columns))
            }
            return Question(
                kind: 0x05, stream: stream,
                payload: varint(1) + name + list(columns) + query() + [chance(15) ? 1 : 0],
                words: "open")
        case 5...6:
            return Question(kind: 0x13, payload: name + signed(rowID()), words: "detail")
        case 7:
            return Question(
                kind: 0x15,
                payload: name + signed(rowID()) + text(one(of: Self.columns))
                    + varint(number(0...9)), words: "piece")
        case 8:
            return Question(
                kind: 0x27,
                payload: name + optional(chance(50) ? signed(rowID()) : nil) + [0]
                    + varint(number(1...20)), words: "history")
        default: return Question(kind: 0x1B, payload: [], words: "statistics")
        }
    }

    private mutating func next(about stream: UInt16, _ generation: Int) -> Question {
        func asks(_ kind: UInt8, _ payload: [UInt8], _ words: String) -> Question {
            Question(
                kind: kind, stream: stream, payload: varint(generation) + payload, words: words)
        }
        switch number(0...9) {
        case 0:
            return Question(
                kind: 0x07, stream: stream, payload: varint(generation + 1) + query(),
                words: "rearrange")
        case 1: return Question(kind: 0x09, stream: stream, payload: [], words: "close")
        case 2: return asks(0x0D, varint(number(0...30)), "index")
        case 3:
            let start: [UInt8] =
                chance(60)
                ? [0] + varint(number(0...12))
                : [UInt8(one(of: [1, 2]))] + text(one(of: Self.texts))
            return asks(0x0F, start + varint(number(0...20)) + [0], "sections")
        case 4: return asks(0x0F, [0] + varint(number(0...5)) + varint(5) + [1], "ranking")
        case 5: return asks(0x11, signed(rowID()), "locate")
        case 6:
            let measures = (0..<number(1...3)).map { _ in
                text(one(of: Self.columns)) + [UInt8(number(0...5))]
            }
            return asks(
                0x31, list(measures) + [1] + list((0..<3).map { varint($0) }), "aggregates")
        default:
            let anchor: [UInt8] =
                switch number(0...4) {
                case 0: [1] + varint(number(0...9)) + varint(number(0...9))
                case 1: [2] + signed(rowID())
                case 2: [3] + little(UInt64(number(0...1_000_000)), 4)
                case 3: [4]
                default: [0] + varint(number(0...250))
                }
            return asks(
                0x0B,
                anchor + varint(number(0...3)) + varint(number(1...40)) + signed(0) + varint(0)
                    + [1] + list([]) + [0], "window")
        }
    }

    /// A view that was opened, or is closed.
    mutating func note(_ question: Question, _ answer: String) {
        switch question.kind {
        case 0x05: if answer.hasPrefix("opened") { open[question.stream] = 1 }
        case 0x07: open[question.stream, default: 0] += 1
        case 0x09: open[question.stream] = nil
        default: break
        }
    }

    // MARK: Changes

    /// What one may try who sees the rows of garage a, and columns 0 to 6 of them.
    mutating func change() -> [UInt8] {
        let columns = [2, 3, 4, 5, 6, 7, 8]
        switch number(0...9) {
        case 0...1:
            return insert([
                [
                    (1, textCell("a")), (2, textCell(one(of: Self.texts))),
                    (one(of: [3, 4, 7]), cell()),
                ]
            ])
        case 2: return [6]
        case 3: return [7]
        case 4: return deletion([(rowID(), nil)])
        case 5:
            let query = RuleClient.query(
                search: "make 3", conditions: chance(50) ? [condition()] : [])
            return [4] + query + list([varint(3) + textCell("found")])
        default:
            let seen = chance(70) ? [0] : [1] + cell()
            return update(rowID(), one(of: columns), cell(), seen: seen)
        }
    }

    /// What somebody else does to rows and columns that it does not see.
    mutating func unseenChange() -> [UInt8] {
        let (row, value) = (Int64(number(1...200)), textCell(one(of: Self.texts)))
        return switch number(0...2) {
        // The columns of one who sees all: owner, id, garage, make, model, year, price, ….
        case 0: update(row * 2, 0, value)
        case 1: update(row * 2 - 1, 3, value)
        default: update(row * 2, 6, integerCell(Int64(number(0...100))))
        }
    }
}

extension RuleClient {
    /// What the answer to a question says, apart from revisions, times, and names of pages.
    func told(_ question: Question) throws -> String {
        let request = ask(question.kind, stream: question.stream, question.payload)
        return try told(ofRequest: request)
    }

    func told(ofRequest request: Int) throws -> String {
        var said: [String] = []
        while let frame = try next() {
            var fields = frame.fields
            switch frame.kind {
            case 0x8B:
                // A page ahead of what is asked for.
                send(0x17, varint(frame.byteCount))
                continue
            case 0x9B:
                let error = try ErrorFrame(frame)
                return "error \(error.stream) \(error.code) \(error.message) \(error.alternatives)"
            case 0x89: return try toldOfWindow(frame)
            default: break
            }
            guard try fields.count() == request else { throw Malformed(what: "another request") }
            switch frame.kind {
            case 0x83:
                let (total, ordinal) = (try fields.count(), try fields.count())
                said.append("list \(fields.rest)")
                if total > ordinal + 1 { continue }
                return "catalog \(total) \(said)"
            case 0x85:
                let opened = try OpenedFrame(frame)
                return "opened \(opened.rows) \(opened.sections) \(opened.grouping) "
                    + "\(String(describing: opened.groupingColumn)) \(opened.isSectioned) "
                    + "\(opened.hasIndex) \(opened.columns)"
            case 0x87: return "closed"
            case 0x8D, 0x8F, 0x91, 0x93, 0x95:
                _ = try fields.varint()
                return "\(frame.kind) \(fields.rest)"
            case 0xB3:
                _ = (try fields.count(), try fields.varint(), try fields.varint())
                return "aggregates \(fields.rest)"
            case 0xA7:
                let entries = try fields.list { try Self.toldOfEntry(&$0) }
                return "history \(entries) \(try fields.bool())"
            case 0xA3:
                let outcome = try OutcomeFrame(frame)
                let conflicts = outcome.conflicts.map { conflict in
                    var conflict = conflict
                    conflict.time = 0
                    return conflict
                }
                return "outcome \(outcome.verdict) \(outcome.step != nil) "
                    + "\(outcome.rowIDs ?? []) \(conflicts) \(outcome.refusals) \(outcome.reasons)"
            default: return "\(frame.kind) \(fields.rest)"
            }
        }
        throw Malformed(what: "the server has closed")
    }

    private static func toldOfEntry(_ fields: inout Fields) throws -> String {
        _ = (try fields.count(), try fields.count(), try fields.signed())
        let station = try fields.text()
        let command = try fields.optional { fields in
            _ = (try fields.fixed(8), try fields.fixed(8))
            return try fields.varint()
        }
        let effect = try fields.optional { fields in
            let (kind, row) = (try fields.byte(), try fields.signed())
            let cells = try fields.list { fields in
                "\(try fields.count()) \(try RawCell(&fields)) \(try RawCell(&fields))"
            }
            return "\(kind) \(row) \(cells)"
        }
        return "\(station) \(command ?? 0) \(effect ?? "")"
    }

    private func toldOfWindow(_ frame: RawFrame) throws -> String {
        let window = try WindowFrame(frame)
        var pages: [UInt64: RawPage] = [:]
        var begun: [UInt64: PageParts] = [:]
        while !window.pages.allSatisfy({ pages[$0.name] != nil }) {
            guard let next = try next() else { throw Malformed(what: "pages are missing") }
            guard next.kind == 0x8B else {
                let error = next.kind == 0x9B ? try ErrorFrame(next).message : ""
                throw Malformed(what: "kind \(next.kind) instead of a page: \(error)")
            }
            let part = try PagePart(next)
            send(0x17, varint(part.byteCount))
            if let page = try PageParts.add(part, to: &begun) { pages[part.name] = page }
        }
        let rows = try window.rows(from: pages).map { "\($0.id) \($0.cells)" }
        return "window \(window.generation) \(window.totalRows) \(window.totalSections) "
            + "\(window.listRows) \(window.anchor) \(window.anchorRow) \(window.first) "
            + "\(window.rows) \(window.runs) \(rows)"
    }
}
