import NIOCore
import ValetModel

/// ```
/// text   name
/// u8     effect: 0 set, varint column and a cell; 1 say, 2 copy, 4 retitle, each with a template;
///        3 open, text list
/// ```
extension RowAction: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(name)
        switch effect {
        case .set(let column, let value):
            payload.writeByte(0)
            payload.writeCount(column)
            value.write(into: &payload)
        case .say(let text): payload.writeCase(1) { $0.writeText(text) }
        case .copy(let text): payload.writeCase(2) { $0.writeText(text) }
        case .open(let list): payload.writeCase(3) { $0.writeText(list) }
        case .retitle(let text): payload.writeCase(4) { $0.writeText(text) }
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        let name = try payload.name("action name")
        let effect: Effect
        switch try payload.byte() {
        case 0:
            effect = .set(
                column: try payload.count(),
                try Cell(reading: &payload, limit: Limits.bytesPerName))
        case 1: effect = .say(try payload.text("message", limit: Limits.bytesPerMessage))
        case 2: effect = .copy(try payload.text("text to copy", limit: Limits.bytesPerMessage))
        case 3: effect = .open(list: try payload.name("list name"))
        case 4: effect = .retitle(try payload.text("title", limit: Limits.bytesPerMessage))
        case let other: throw PayloadReader.malformed("\(other) is no effect of an action")
        }
        self.init(name: name, effect: effect)
    }
}
