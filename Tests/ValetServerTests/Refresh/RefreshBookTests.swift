import Testing
import ValetModel

@testable import ValetServer

/// Who waits for which refresh.
@Suite struct RefreshBookTests {
    /// `#expect` takes no calls that change a value.
    private final class Book {
        private var book = RefreshBook()

        func asked(_ list: Int, _ ticket: UInt64) throws(ValetError) -> Bool {
            try book.asked(list, ticket)
        }
        func left(_ list: Int, _ ticket: UInt64) -> Bool { book.left(list, ticket) }
        func waiting(for list: Int) -> Set<UInt64> { book.waiting(for: list) }
        func ended(_ list: Int) -> (answered: Set<UInt64>, startsAgain: Bool) { book.ended(list) }
    }

    @Test func theFirstStartsItAndOthersJoin() throws {
        let book = Book()
        #expect(try book.asked(0, 1))
        #expect(try !book.asked(0, 2))
        #expect(book.waiting(for: 0) == [1, 2])
        let ended = book.ended(0)
        #expect(ended.answered == [1, 2] && !ended.startsAgain)
        #expect(try book.asked(0, 3))
    }

    @Test func itStopsWhenNobodyWaits() throws {
        let book = Book()
        _ = try book.asked(0, 1)
        _ = try book.asked(0, 2)
        #expect(!book.left(0, 1))
        // Once more, and one that never waited.
        #expect(!book.left(0, 1) && !book.left(0, 9) && !book.left(7, 1))
        #expect(book.left(0, 2))
    }

    @Test func whoAsksWhileItStopsGetsTheNext() throws {
        let book = Book()
        _ = try book.asked(0, 1)
        _ = book.left(0, 1)
        #expect(try !book.asked(0, 2))
        #expect(book.waiting(for: 0).isEmpty)
        let ended = book.ended(0)
        #expect(ended.answered.isEmpty && ended.startsAgain)
        #expect(book.waiting(for: 0) == [2])
        #expect(book.ended(0).answered == [2])
    }

    @Test func whoLeavesBeforeTheNextBeginsNeedsNone() throws {
        let book = Book()
        _ = try book.asked(0, 1)
        _ = book.left(0, 1)
        _ = try book.asked(0, 2)
        #expect(!book.left(0, 2))
        let ended = book.ended(0)
        #expect(ended.answered.isEmpty && !ended.startsAgain)
    }

    @Test func listsAtOnceAreLimited() throws {
        let book = Book()
        for list in 0..<Limits.refreshesAtOnce {
            #expect(try book.asked(list, UInt64(list)))
        }
        let error = #expect(throws: ValetError.self) { try book.asked(99, 99) }
        #expect(error?.code == .busy)
        #expect(try !book.asked(0, 98))
        _ = book.ended(0)
        #expect(try book.asked(99, 99))
    }
}

@Suite struct FetchWordsTests {
    @Test func linesAreProgressOrTheReason() {
        var words = FetchWords()
        var seen: [[Int?]] = []
        let lines = "progress 5 0\nprogress 7 9\nprogress 12 9\nvalet-fetch: no\nprogress -1 9\n"
        // In pieces.
        for byte in lines.utf8 { words.take([byte]) { seen.append([$0, $1]) } }
        #expect(seen == [[5, nil], [7, 9], [12, 12]])
        #expect(words.failure == "progress -1 9")
    }

    @Test func aLineIsLimited() {
        var words = FetchWords()
        words.take(Array(repeating: UInt8(ascii: "x"), count: 1 << 20)) { _, _ in }
        words.take([UInt8(ascii: "\n")]) { _, _ in }
        #expect(words.failure?.utf8.count == Limits.bytesPerMessage)
    }
}
