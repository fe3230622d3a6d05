import NIOCore
import ValetModel

/// ```
/// u8                  style
/// text, optional text title, detail
/// list line           u8 0 and a template, or u8 1 and the varint of a column
/// image               u8: 0 none; 1 text symbol, optional text selected; 2 text box;
///                     3 varint column of a swatch
/// optional varint     tint column
/// optional varint     indent column
/// emphasis            u8: 0 none; 1 bold; 2 varint column
/// height              u8: 0 varint lines; 1 varint column
/// accessory           u8: 0 none; 1 disclosure; 2 detail button; 3 varint column of a check
/// optional varint     selectable column
/// optional text       title while the row is selected
/// optional text       message when it is selected
/// ```
extension CellLayout {
    func write(into payload: inout ByteBuffer) {
        payload.writeByte(style.rawValue)
        payload.writeText(title)
        payload.writeOptionalText(detail)
        payload.writeList(lines)
        image.write(into: &payload)
        payload.writeOptionalCount(tintColumn)
        payload.writeOptionalCount(indentColumn)
        emphasis.write(into: &payload)
        height.write(into: &payload)
        accessory.write(into: &payload)
        payload.writeOptionalCount(selectableColumn)
        payload.writeOptionalText(selectedTitle)
        payload.writeOptionalText(selectedMessage)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            style: try payload.choice("cell style"),
            title: try payload.template(),
            detail: try payload.optionalTemplate(),
            lines: try payload.list(of: "lines of a cell", limit: Limits.linesPerRow),
            image: try CellImage(reading: &payload),
            tintColumn: try payload.optionalCount(),
            indentColumn: try payload.optionalCount(),
            emphasis: try CellEmphasis(reading: &payload),
            height: try CellHeight(reading: &payload),
            accessory: try CellAccessory(reading: &payload),
            selectableColumn: try payload.optionalCount(),
            selectedTitle: try payload.optionalTemplate(),
            selectedMessage: try payload.optionalTemplate())
    }
}

extension PayloadReader {
    fileprivate mutating func template() throws(ValetError) -> String {
        try text("template", limit: Limits.bytesPerMessage)
    }

    fileprivate mutating func optionalTemplate() throws(ValetError) -> String? {
        try optionalText("template", limit: Limits.bytesPerMessage)
    }
}

extension CellLine: Field {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .template(let text): payload.writeCase(0) { $0.writeText(text) }
        case .field(let column): payload.writeCase(1) { $0.writeCount(column) }
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .template(try payload.template())
        case 1: self = .field(column: try payload.count())
        case let other: throw PayloadReader.malformed("\(other) is no line of a cell")
        }
    }
}

extension CellImage {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .none: payload.writeByte(0)
        case .symbol(let text, let selected):
            payload.writeByte(1)
            payload.writeText(text)
            payload.writeOptionalText(selected)
        case .box(let text): payload.writeCase(2) { $0.writeText(text) }
        case .swatch(let column): payload.writeCase(3) { $0.writeCount(column) }
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .none
        case 1:
            self = .symbol(try payload.template(), selected: try payload.optionalTemplate())
        case 2: self = .box(try payload.template())
        case 3: self = .swatch(column: try payload.count())
        case let other: throw PayloadReader.malformed("\(other) is no image of a cell")
        }
    }
}

extension CellEmphasis {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .none: payload.writeByte(0)
        case .bold: payload.writeByte(1)
        case .column(let column): payload.writeCase(2) { $0.writeCount(column) }
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .none
        case 1: self = .bold
        case 2: self = .column(try payload.count())
        case let other: throw PayloadReader.malformed("\(other) is no emphasis of a cell")
        }
    }
}

extension CellHeight {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .lines(let count): payload.writeCase(0) { $0.writeCount(count) }
        case .column(let column): payload.writeCase(1) { $0.writeCount(column) }
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0:
            let lines = try payload.count()
            guard 1...Limits.linesPerRow ~= lines else {
                throw .limit("linesPerRow", is: Limits.linesPerRow, asked: lines)
            }
            self = .lines(lines)
        case 1: self = .column(try payload.count())
        case let other: throw PayloadReader.malformed("\(other) is no height of a cell")
        }
    }
}

extension CellAccessory {
    fileprivate func write(into payload: inout ByteBuffer) {
        switch self {
        case .none: payload.writeByte(0)
        case .disclosure: payload.writeByte(1)
        case .detailButton: payload.writeByte(2)
        case .check(let column): payload.writeCase(3) { $0.writeCount(column) }
        }
    }

    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .none
        case 1: self = .disclosure
        case 2: self = .detailButton
        case 3: self = .check(column: try payload.count())
        case let other: throw PayloadReader.malformed("\(other) is no accessory of a cell")
        }
    }
}
