import Testing
import ValetModel

struct TextCutTests {
    private func cut(_ bytes: [UInt8], to limit: Int) -> [UInt8] {
        bytes.withUnsafeBytes { Array($0.cut(toBytes: limit)) }
    }

    @Test(arguments: ["", "a", "aé", "é漢🚗x", "🚗🚗", "e\u{301}\u{301}\u{301}\u{301}"])
    func textIsCutBetweenScalars(text: String) {
        for limit in 0...text.utf8.count + 1 {
            let cut = text.cut(toBytes: limit)
            var expected = ""
            for scalar in text.unicodeScalars {
                guard expected.utf8.count + String(scalar).utf8.count <= limit else { break }
                expected.unicodeScalars.append(scalar)
            }
            #expect(cut.utf8.elementsEqual(expected.utf8))
            #expect(self.cut(Array(text.utf8), to: limit) == Array(expected.utf8))
        }
    }

    @Test func bytesThatAreNoTextAreCutAFewBytesEarlierAtMost() {
        let bytes = [UInt8](repeating: 0x80, count: 10)
        for limit in 0...9 { #expect(cut(bytes, to: limit).count == max(0, limit - 3)) }
        #expect(cut(bytes, to: 10) == bytes)
    }
}

struct DecimalsTests {
    @Test func realsOfAFewDecimalsAreWholeNumbersOfAPowerOfTen() throws {
        let some = try #require(Decimals.numbers(of: [42.5, .nan, -0.25, 7]))
        #expect(some.scale == 2 && some.numbers == [4_250, nil, -25, 700])
        let none = try #require(Decimals.numbers(of: []))
        #expect(none.scale == 0 && none.numbers.isEmpty)
    }

    @Test(arguments: [1 / 3, -0.0, .infinity, 0x1p53, 1e300, 0.1 + 0.2, 1e-10])
    func otherRealsAreNot(real: Double) {
        #expect(Decimals.numbers(of: [0.5, real]) == nil)
    }
}

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
