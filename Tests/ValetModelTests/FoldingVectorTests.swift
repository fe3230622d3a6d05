import Testing
import ValetModel

/// FNV-1a, as Scripts/folding hashes.
private struct Hash {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

private let skipped = Set(FoldingVectors.skipped.joined())

/// Adds the folded forms of those of 256 scalars that both Unicode versions know.
private func add(scalarsFrom first: UInt32, to hash: inout Hash) {
    for value in first..<first + 256 where !skipped.contains(value) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        hash.add(TextFolding.fold(String(scalar)) + [0xFF])
    }
}

@Test func everyScalarFoldsAsAnotherImplementationDoes() {
    for block in FoldingVectors.blocks {
        var hash = Hash()
        add(scalarsFrom: block.first, to: &hash)
        #expect(hash.value == block.hash, "U+\(String(block.first, radix: 16)) and 255 more")
    }
}

@Test func scalarsWithNothingToFoldStayAsTheyAre() {
    let folding = Set(FoldingVectors.blocks.map(\.first))
    var hash = Hash()
    for first in stride(from: UInt32(0), to: 0x110000, by: 256) where !folding.contains(first) {
        add(scalarsFrom: first, to: &hash)
    }
    #expect(hash.value == FoldingVectors.rest)
}

@Test func seededTextsFoldAsAnotherImplementationDoes() {
    for (seed, expected) in FoldingVectors.texts.enumerated() {
        var random = SeededNumbers(seed: UInt64(seed))
        var text = String.UnicodeScalarView()
        for _ in 0..<24 {
            let index = Int(random.next() % UInt64(FoldingVectors.palette.count))
            text.append(Unicode.Scalar(FoldingVectors.palette[index]) ?? "?")
        }
        var hash = Hash()
        hash.add(TextFolding.fold(String(text)))
        #expect(hash.value == expected, "seed \(seed): \(text.map { String($0.value, radix: 16) })")
    }
}
