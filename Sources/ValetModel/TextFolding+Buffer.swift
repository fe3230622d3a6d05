/// Collects folded bytes before they are appended to an array, since each append call is costly.
///
/// It also puts marks into canonical order. A mark here is a scalar of a nonzero combining class
/// that stays in folded forms. Marks are held until a scalar of class 0 ends their run, and then
/// written in order of class. They are kept as sortable numbers, so that a text of nothing but
/// marks costs one sort.
struct FoldingBuffer {
    /// On the stack, where up to 1 KiB is allowed.
    static let byteCount = 512
    /// The most that one step appends: three Hangul letters, eight bytes of ASCII, or the longest
    /// replacement.
    private static let bytesPerStep = 32

    private let start: UnsafeMutableRawPointer
    private var count = 0
    /// Combining class, place in the run, and scalar, from the highest bits down.
    private var marks: [UInt64] = []

    init(room: UnsafeMutableRawBufferPointer) {
        precondition(room.count == Self.byteCount)
        // A temporary allocation of at least one byte has an address.
        start = room.baseAddress!
    }

    mutating func makeRoom(in folded: inout [UInt8]) {
        if count > Self.byteCount - Self.bytesPerStep { drain(into: &folded) }
    }

    mutating func finish(into folded: inout [UInt8]) {
        drain(into: &folded)
        writeMarks(into: &folded)
    }

    // MARK: Scalars of class 0

    mutating func append(_ byte: UInt8, to folded: inout [UInt8]) {
        endRun(into: &folded)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    mutating func append(_ word: UInt64, count wordCount: Int, to folded: inout [UInt8]) {
        endRun(into: &folded)
        start.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        count += wordCount
    }

    /// Appends the table's entry for `scalar`, which was read from `byteCount` bytes of `bytes`.
    mutating func append(
        _ scalar: UInt32, from bytes: UnsafeRawBufferPointer, at position: Int,
        count byteCount: Int, to folded: inout [UInt8]
    ) {
        switch FoldingEntry(of: scalar) {
        case .copied:
            endRun(into: &folded)
            if scalar == UTF8Scalar.replacement {
                appendUTF8(of: scalar)
            } else {
                copy(bytes.baseAddress! + position, count: byteCount)
            }
        case .removed: break
        case .barrier: endRun(into: &folded)
        case .mark: wait(scalar)
        case .hangul:
            endRun(into: &folded)
            appendHangul(scalar)
        case .replaced(let replacement):
            endRun(into: &folded)
            if replacement.endsInMarks {
                appendMarked(replacement.bytes)
            } else {
                copy(replacement.bytes.baseAddress!, count: replacement.bytes.count)
            }
        }
    }

    private mutating func copy(_ source: UnsafeRawPointer, count byteCount: Int) {
        for offset in 0..<byteCount {
            let byte = source.load(fromByteOffset: offset, as: UInt8.self)
            start.storeBytes(of: byte, toByteOffset: count + offset, as: UInt8.self)
        }
        count += byteCount
    }

    private mutating func appendMarked(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count {
            let (scalar, length) = UTF8Scalar.decode(bytes, at: position)
            if FoldingEntry.combiningClass(of: scalar) == 0 {
                copy(bytes.baseAddress! + position, count: length)
            } else {
                wait(scalar)
            }
            position += length
        }
    }

    /// The decomposition of a Hangul syllable (Unicode 15, 3.12).
    private mutating func appendHangul(_ syllable: UInt32) {
        let index = syllable - FoldingEntry.hangulSyllables.lowerBound
        appendUTF8(of: 0x1100 + index / 588)
        appendUTF8(of: 0x1161 + index % 588 / 28)
        if index % 28 != 0 { appendUTF8(of: 0x11A7 + index % 28) }
    }

    /// `scalar` must encode to three bytes.
    private mutating func appendUTF8(of scalar: UInt32) {
        store(0xE0 | scalar >> 12, at: 0)
        store(0x80 | scalar >> 6 & 0x3F, at: 1)
        store(0x80 | scalar & 0x3F, at: 2)
        count += 3
    }

    private func store(_ byte: UInt32, at offset: Int) {
        start.storeBytes(
            of: UInt8(truncatingIfNeeded: byte), toByteOffset: count + offset, as: UInt8.self)
    }

    // MARK: Marks

    private mutating func wait(_ scalar: UInt32) {
        let combiningClass = UInt64(FoldingEntry.combiningClass(of: scalar))
        // A text has far less than 2³⁵ marks, and a scalar has 21 bits.
        marks.append(combiningClass << 56 | UInt64(marks.count) << 21 | UInt64(scalar))
    }

    /// A scalar of class 0 follows, so no later mark can move before those in the run.
    private mutating func endRun(into folded: inout [UInt8]) {
        if !marks.isEmpty {
            drain(into: &folded)
            writeMarks(into: &folded)
        }
    }

    private mutating func writeMarks(into folded: inout [UInt8]) {
        guard !marks.isEmpty else { return }
        marks.sort()
        for mark in marks {
            let scalar = Unicode.Scalar(UInt32(mark & 0x1F_FFFF)) ?? "\u{FFFD}"
            folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        marks.removeAll(keepingCapacity: true)
    }

    private mutating func drain(into folded: inout [UInt8]) {
        guard count > 0 else { return }
        folded.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        count = 0
    }
}
