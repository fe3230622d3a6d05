import NIOCore
import ValetModel

/// ```
/// u8   0 automatic, 1 text, 2 number, 3 switch; 4 choices, list cell; 5 range, bound first, bound
///      last, bool descending; 6 list, text name, optional text column; 7 wheels, list varint
///      column; 8 date, 9 time, 10 date and time, 11 duration; 12 per row, varint column, list
///      (text kind, editor 0 to 11)
/// ```
/// A bound is u8: 0 signed number, 1 this year, 2 the next.
extension ColumnEditor {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .automatic: payload.writeByte(0)
        case .text: payload.writeByte(1)
        case .number: payload.writeByte(2)
        case .toggle: payload.writeByte(3)
        case .choices(let choices): payload.writeCase(4) { $0.writeList(choices) }
        case .range(let range):
            payload.writeByte(5)
            range.first.write(into: &payload)
            range.last.write(into: &payload)
            payload.writeBool(range.isDescending)
        case .list(let name, let valueColumn):
            payload.writeByte(6)
            payload.writeText(name)
            payload.writeOptionalText(valueColumn)
        case .wheels(let columns): payload.writeCase(7) { $0.writeCounts(columns) }
        case .moment(.date): payload.writeByte(8)
        case .moment(.time): payload.writeByte(9)
        case .moment(.dateAndTime): payload.writeByte(10)
        case .moment(.duration): payload.writeByte(11)
        case .perRow(let column, let kinds):
            payload.writeByte(12)
            payload.writeCount(column)
            payload.writeList(kinds) { payload, kind in
                payload.writeText(kind.name)
                kind.editor.write(into: &payload)
            }
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 12:
            self = .perRow(
                column: try payload.count(),
                kinds: try payload.list(of: "kindsPerEditor", limit: Limits.kindsPerEditor) {
                    payload throws(ValetError) in
                    Kind(
                        name: try payload.name("kind"),
                        editor: try ColumnEditor(reading: &payload, code: payload.byte()))
                })
        case let code: try self.init(reading: &payload, code: code)
        }
    }

    private init(reading payload: inout PayloadReader, code: UInt8) throws(ValetError) {
        switch code {
        case 0: self = .automatic
        case 1: self = .text
        case 2: self = .number
        case 3: self = .toggle
        case 4: self = .choices(try [Cell](choicesOf: &payload))
        case 5:
            self = .range(
                NumberRange(
                    first: try NumberRange.Bound(reading: &payload),
                    last: try NumberRange.Bound(reading: &payload),
                    isDescending: try payload.bool()))
        case 6:
            self = .list(
                name: try payload.name("list name"),
                valueColumn: try payload.optionalName("column name"))
        case 7:
            self = .wheels(
                columns: try payload.counts(of: "wheelsPerEditor", limit: Limits.wheelsPerEditor))
        case 8: self = .moment(.date)
        case 9: self = .moment(.time)
        case 10: self = .moment(.dateAndTime)
        case 11: self = .moment(.duration)
        case let other: throw PayloadReader.malformed("\(other) is no editor here")
        }
    }
}

extension NumberRange.Bound {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .number(let number): payload.writeCase(0) { $0.writeSigned(number) }
        case .thisYear: payload.writeByte(1)
        case .nextYear: payload.writeByte(2)
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .number(try payload.signed())
        case 1: self = .thisYear
        case 2: self = .nextYear
        case let other: throw PayloadReader.malformed("\(other) is no bound of a range")
        }
    }
}

extension [Cell] {
    /// Values to pick from.
    init(choicesOf payload: inout PayloadReader) throws(ValetError) {
        self = try payload.list(of: "choicesPerColumn", limit: Limits.choicesPerColumn) {
            payload throws(ValetError) in try Cell(reading: &payload, limit: Limits.bytesPerName)
        }
    }
}
