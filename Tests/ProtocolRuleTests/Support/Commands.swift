/// Commands as section 9 of PROTOCOL.md lays them out.

/// The 16 bytes of a writer's ID.
func writerID(_ number: UInt64) -> [UInt8] { u64(0) + u64(number) }

/// A command's fields behind its request. The epoch is that of test servers.
///
/// - Parameter group: one of its own if nothing is said.
func command(
    writer: [UInt8] = writerID(7), number: Int = 1, group: Int? = nil, epoch: UInt64 = 7,
    list name: String = "cars", _ change: [UInt8]
) -> [UInt8] {
    writer + varint(number) + varint(group ?? number) + u64(epoch) + text(name) + change
}

func textCell(_ value: String) -> [UInt8] { [3] + text(value) }

func integerCell(_ value: Int64) -> [UInt8] { [1] + signed(value) }

/// An insert of rows, each a list of columns and cells.
func insert(_ rows: [[(column: Int, cell: [UInt8])]]) -> [UInt8] {
    [0] + list(rows.map { list($0.map { varint($0.column) + $0.cell }) })
}

/// An update of rows, each with its cells, all with the same seen value.
func update(
    _ rows: [(id: Int64, cells: [(column: Int, cell: [UInt8])])], seen: [UInt8] = [0]
) -> [UInt8] {
    let rows = rows.map { row in
        signed(row.id) + list(row.cells.map { varint($0.column) + $0.cell + seen })
    }
    return [1] + list(rows)
}

/// An update of one cell.
func update(_ row: Int64, _ column: Int, _ cell: [UInt8], seen: [UInt8] = [0]) -> [UInt8] {
    update([(row, [(column, cell)])], seen: seen)
}

func deletion(_ rows: [(id: Int64, seen: Int?)]) -> [UInt8] {
    [2] + list(rows.map { signed($0.id) + optional($0.seen.map(varint)) })
}

/// A move behind a row, or to the front.
func move(_ rows: [Int64], behind: Int64?, seen: Int? = nil, joining: String? = nil) -> [UInt8] {
    let neighbour = behind.map {
        [2] + signed($0) + optional(seen.map(varint)) + optional(joining.map(text))
    }
    return [3] + list(rows.map(signed)) + (neighbour ?? [0])
}
