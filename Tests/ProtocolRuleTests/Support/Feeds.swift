import Testing

/// History and change feeds as section 10 of PROTOCOL.md lays them out.

/// An entry of a log: its position and which row it is of.
struct EntryFrame: Equatable {
    struct Position: Equatable, Comparable {
        var revision: Int
        var place: Int

        static let beginning = Position(revision: 0, place: 0)

        /// Behind all entries of a revision.
        static func end(of revision: Int) -> Position {
            Position(revision: revision, place: (1 << 53) - 1)
        }

        static func < (left: Position, right: Position) -> Bool {
            (left.revision, left.place) < (right.revision, right.place)
        }

        var field: [UInt8] { varint(revision) + varint(place) }
    }

    var position: Position
    var station: String
    var effect: UInt8?
    var row: Int64?

    init(_ fields: inout Fields) throws {
        position = Position(revision: try fields.count(), place: try fields.count())
        _ = try fields.signed()
        station = try fields.text()
        _ = try fields.optional { (try $0.fixed(8), try $0.fixed(8), try $0.varint()) }
        let effect = try fields.optional { fields -> (UInt8, Int64) in
            let kind = try fields.byte()
            let row = try fields.signed()
            _ = try fields.list { (try $0.count(), try RawCell(&$0), try RawCell(&$0)) }
            return (kind, row)
        }
        (self.effect, row) = (effect?.0, effect?.1)
    }
}

struct FollowingFrame {
    var request: Int
    var logID: UInt64
    var revision: Int

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        request = try fields.count()
        logID = try fields.fixed(8)
        revision = try fields.count()
        try fields.end()
    }
}

struct ChangesFrame {
    var feed: Int
    var entries: [EntryFrame]

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        feed = try fields.count()
        entries = try fields.list { try EntryFrame(&$0) }
        try fields.end()
    }
}

struct FeedEndedFrame {
    var feed: Int
    var code: Int

    init(_ frame: RawFrame) throws {
        var fields = frame.fields
        feed = try fields.count()
        code = try fields.count()
        _ = try fields.text()
        try fields.end()
    }
}

extension RuleClient {
    @discardableResult
    func askToFollow(
        _ name: String = "cars", from start: (logID: UInt64, after: EntryFrame.Position)? = nil
    ) -> Int {
        ask(0x29, text(name) + optional(start.map { u64($0.logID) + $0.after.field }))
    }

    @discardableResult
    func follow(
        _ name: String = "cars", from start: (logID: UInt64, after: EntryFrame.Position)? = nil
    ) throws -> FollowingFrame {
        let request = askToFollow(name, from: start)
        let following = try FollowingFrame(try expect(0xA9))
        guard following.request == request else { throw Malformed(what: "another's answer") }
        return following
    }

    func unfollow(_ feed: Int) throws {
        let request = ask(0x2B, varint(feed))
        #expect(try expect(0xAD).payload == varint(request))
    }

    /// So many entries of a feed, over all its frames.
    func entries(_ count: Int, of feed: Int) throws -> [EntryFrame] {
        var entries: [EntryFrame] = []
        while entries.count < count {
            let frame = try expect(0xAB)
            send(0x17, varint(frame.payload.count + 8))
            let changes = try ChangesFrame(frame)
            guard changes.feed == feed else { throw Malformed(what: "another feed's changes") }
            entries += changes.entries
        }
        return entries
    }

    /// Writes `changes`, which must be carried out.
    func write(_ changes: [[UInt8]], as writer: [UInt8], from number: Int = 1) throws {
        for (place, change) in changes.enumerated() {
            _ = try outcome(of: command(writer: writer, number: number + place, change))
        }
    }
}
