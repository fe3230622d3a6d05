import NIOCore
import ValetModel

/// Picks the smallest encoding for one column's values and writes it.
struct PageColumnWriter {
    typealias Value = PageBuilder.Value

    let values: ArraySlice<Value>
    let texts: [UInt8]

    func write(into raw: inout ByteBuffer) {
        if let first = values.first, values.allSatisfy({ isEqual($0, first) }) {
            raw.writeByte(PageEncoding.constant.rawValue)
            cell(first).write(into: &raw)
            return
        }
        guard values.contains(where: { $0.kind == .null }) else {
            write(values, sparse: 0, into: &raw)
            return
        }
        let present = values.filter { $0.kind != .null }
        write(present[...], sparse: PageEncoding.sparseFlag, into: &raw)
    }

    private func write(_ present: ArraySlice<Value>, sparse: UInt8, into raw: inout ByteBuffer) {
        func begin(_ encoding: PageEncoding) {
            raw.writeByte(encoding.rawValue | sparse)
            if sparse != 0 { writeBitmap(into: &raw) }
        }
        if present.allSatisfy({ $0.kind == .integer }) {
            begin(.integers)
            raw.writeDifferences(present.lazy.map(\.number))
        } else if present.allSatisfy({ $0.kind == .text }) {
            if let (entries, codes) = dictionary(of: present) {
                begin(.dictionary)
                raw.writeCount(entries.count)
                writeTexts(entries, into: &raw)
                raw.writeBytes(codes)
            } else {
                begin(.texts)
                writeTexts(present, into: &raw)
            }
        } else if let (scale, numbers) = decimals(of: present) {
            begin(.decimals)
            raw.writeByte(UInt8(scale))
            raw.writeDifferences(numbers)
        } else {
            begin(.cells)
            for value in present { cell(value).write(into: &raw) }
        }
    }

    private func writeBitmap(into raw: inout ByteBuffer) {
        var byte: UInt8 = 0
        for (row, value) in values.enumerated() {
            if value.kind != .null { byte |= 1 << UInt8(row & 7) }
            if row & 7 == 7 {
                raw.writeByte(byte)
                byte = 0
            }
        }
        if values.count & 7 != 0 { raw.writeByte(byte) }
    }

    private func writeTexts(_ values: ArraySlice<Value>, into raw: inout ByteBuffer) {
        for value in values { raw.writeCount(value.bytes.count) }
        for value in values { raw.writeBytes(texts[value.bytes]) }
    }

    /// Distinct texts and a code per value, if enough values repeat for that to be smaller.
    private func dictionary(
        of present: ArraySlice<Value>
    ) -> (entries: ArraySlice<Value>, codes: [UInt8])? {
        var entries: [Value] = []
        var codes: [UInt8] = []
        codes.reserveCapacity(present.count)
        for value in present {
            if let code = entries.firstIndex(where: { isEqual($0, value) }) {
                codes.append(UInt8(code))
            } else {
                guard entries.count * 2 < present.count else { return nil }
                codes.append(UInt8(entries.count))
                entries.append(value)
            }
        }
        return (entries[...], codes)
    }

    /// The values as integers scaled by a power of ten, if all are reals with few decimals.
    private func decimals(of present: ArraySlice<Value>) -> (scale: Int, numbers: [Int64])? {
        guard present.allSatisfy({ $0.kind == .real }),
            let (scale, found) = Decimals.numbers(
                of: present.map { Double(bitPattern: UInt64(bitPattern: $0.number)) })
        else { return nil }
        let numbers = found.compactMap(\.self)
        return numbers.count == present.count ? (scale, numbers) : nil
    }

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        left.kind == right.kind && left.number == right.number
            && (left.bytes == right.bytes || hasEqualTexts(left.bytes, right.bytes))
    }

    private func hasEqualTexts(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        return texts.withUnsafeBytes { texts in
            zip(left, right).allSatisfy { texts[$0] == texts[$1] }
        }
    }

    private func cell(_ value: Value) -> Cell {
        let byteCount = Int(value.number)
        switch value.kind {
        case .null: return .null
        case .integer: return .integer(value.number)
        case .real: return .real(Double(bitPattern: UInt64(bitPattern: value.number)))
        case .text: return .text(String(decoding: texts[value.bytes], as: UTF8.self))
        case .malformedText:
            return .malformedText(bytes: Array(texts[value.bytes]), byteCount: byteCount)
        case .cutText:
            return .cutText(
                String(decoding: texts[value.bytes], as: UTF8.self), byteCount: byteCount)
        case .blob: return .blob(bytes: [], byteCount: byteCount)
        }
    }
}
