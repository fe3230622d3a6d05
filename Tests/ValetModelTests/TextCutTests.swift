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
