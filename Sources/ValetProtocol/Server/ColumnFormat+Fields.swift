import NIOCore
import ValetModel

/// ```
/// u8                  0 plain; 1 day; 2 time; 3 day and time; 4 month and year;
///                     5 number: optional varint decimals, bool grouped
/// ```
extension ColumnFormat {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .plain: payload.writeByte(0)
        case .day: payload.writeByte(1)
        case .time: payload.writeByte(2)
        case .dayAndTime: payload.writeByte(3)
        case .monthYear: payload.writeByte(4)
        case .number(let decimals, let isGrouped):
            payload.writeByte(5)
            payload.writeOptionalCount(decimals)
            payload.writeBool(isGrouped)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .plain
        case 1: self = .day
        case 2: self = .time
        case 3: self = .dayAndTime
        case 4: self = .monthYear
        case 5:
            let decimals = try payload.optionalCount()
            if let decimals, decimals > Limits.decimalsPerNumber {
                throw .limit("decimalsPerNumber", is: Limits.decimalsPerNumber, asked: decimals)
            }
            self = .number(decimals: decimals, isGrouped: try payload.bool())
        case let other: throw PayloadReader.malformed("\(other) is no format of a column")
        }
    }
}
