import TestSupport
import Testing
import ValetModel

@testable import ValetServer

/// Who waits for which refresh.
@Suite struct RefreshBookTests {
    /// `#expect` takes no calls that change a value.
    private final class Book {
        private var book: RefreshBook
        private let start = ContinuousClock.now

        init(interval: Duration = .zero) {
            book = RefreshBook(interval: interval)
        }

        func asked(_ list: Int, _ ticket: UInt64, at seconds: Int = 0) throws(ValetError) -> Bool {
            try book.asked(list, ticket, at: start + .seconds(seconds))
        }
        func left(_ list: Int, _ ticket: UInt64) -> Bool { book.left(list, ticket) }
        func waiting(for list: Int) -> Set<UInt64> { book.waiting(for: list) }
        func ended(_ list: Int, at seconds: Int = 0) -> (answered: Set<UInt64>, startsAgain: Bool) {
            book.ended(list, at: start + .seconds(seconds))
        }
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

    @Test func aClientThatAsksWhileItStopsGetsTheNext() throws {
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

    @Test func aClientThatLeavesBeforeTheNextBeginsNeedsNone() throws {
        let book = Book()
        _ = try book.asked(0, 1)
        _ = book.left(0, 1)
        _ = try book.asked(0, 2)
        #expect(!book.left(0, 2))
        let ended = book.ended(0)
        #expect(ended.answered.isEmpty && !ended.startsAgain)
    }

    @Test func aListIsNotLoadedTooOften() throws {
        let book = Book(interval: .seconds(5))
        #expect(try book.asked(0, 1, at: 0))
        #expect(try !book.asked(0, 2, at: 1))
        _ = book.ended(0, at: 2)
        let error = #expect(throws: ValetError.self) { try book.asked(0, 3, at: 3) }
        #expect(error?.code == .busy && error?.message.contains("secondsBetween") == true)
        #expect(error?.retryAfter == .seconds(2))
        #expect(try book.asked(1, 4, at: 3))
        #expect(try book.asked(0, 5, at: 5))
        // Neither by cancelling and asking again.
        #expect(book.left(0, 5))
        #expect(throws: ValetError.self) { try book.asked(0, 6, at: 6) }
        #expect(try !book.asked(0, 7, at: 10))
        #expect(book.ended(0, at: 11).startsAgain)
        _ = book.ended(0, at: 12)
        #expect(throws: ValetError.self) { try book.asked(0, 8, at: 15) }
    }

    @Test func listsAtOnceAreLimited() throws {
        let book = Book()
        for list in 0..<Limits.refreshesAtOnce { #expect(try book.asked(list, UInt64(list))) }
        #expect(failure { try book.asked(99, 99) }?.code == .busy)
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
