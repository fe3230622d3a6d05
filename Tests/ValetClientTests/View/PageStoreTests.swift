import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

@Suite struct PageStoreTests {
    private func page(columns: Int) -> StoredPage {
        var assembler = PageAssembler()
        var page: StoredPage?
        for frame in FakeServer.page(1, first: 0, rows: 64, columns: columns) {
            var bytes = frame
            if let frame = try? Frame(takingFrom: &bytes, payloadLimit: 1 << 20),
                case .page(let part) = try? ServerMessage(frame: frame)
            {
                page = (try? assembler.add(part)).flatMap { $0 }.map(StoredPage.raw)
            }
        }
        return page!
    }

    private func name(_ number: Int) -> PageName { PageName(rawValue: UInt64(number)) }

    @Test func theLeastRecentlyShownGoFirst() {
        var store = PageStore()
        let small = page(columns: 1)
        for number in 0..<PageStore.mostPages { store.insert(small, for: name(number)) }
        store.touch(name(0))
        store.insert(small, for: name(1_000))
        #expect(store.contains(name(0)))
        #expect(!store.contains(name(1)))
        #expect(store.count == PageStore.mostPages * 3 / 4)
        #expect(store.newest(most: 2).map(\.name) == [name(0), name(1_000)])
    }

    @Test func widePagesAreFewer() {
        var store = PageStore()
        let wide = page(columns: 500)
        for number in 0..<100 {
            store.insert(wide, for: name(number))
            #expect(store.cellCount <= PageStore.mostCells)
            #expect(store.contains(name(number)))
        }
        #expect(store.count <= PageStore.mostCells / (64 * 501))
    }

    @Test func aPageThatComesTwiceIsCountedOnce() {
        var store = PageStore()
        store.insert(page(columns: 3), for: name(1))
        let cells = store.cellCount
        store.insert(page(columns: 3), for: name(1))
        #expect(store.cellCount == cells)
        #expect(store.count == 1)
    }
}
