import Testing
import ValetModel

@Suite struct SeenValueTests {
    @Test func aLongValueIsSeenAsItsDigest() {
        let limit = Limits.bytesPerSeenValue
        let long = String(repeating: "é", count: limit)
        let bytes = [UInt8](repeating: 0xFF, count: limit + 1)
        let digest = SeenValue.long(ValueDigest(of: bytes))
        #expect(SeenValue(.text(long)) == .long(ValueDigest(of: long.utf8)))
        #expect(SeenValue(.blob(bytes: bytes, byteCount: limit + 1)) == digest)
        #expect(SeenValue(.malformedText(bytes: bytes, byteCount: limit + 1)) == digest)
    }

    @Test func aShortValueIsSeenAsItIs() {
        let text = String(repeating: "a", count: Limits.bytesPerSeenValue)
        for cell in [.null, .integer(1), .real(0.5), .text(text), .text("")] as [Cell] {
            #expect(SeenValue(cell) == .cell(cell))
        }
    }

    @Test func nobodySawWhatWasCut() {
        #expect(SeenValue(.cutText("a", byteCount: 2)) == nil)
        #expect(SeenValue(.blob(bytes: [], byteCount: 2)) == nil)
        #expect(SeenValue(.malformedText(bytes: [0xFF], byteCount: 2)) == nil)
    }
}
