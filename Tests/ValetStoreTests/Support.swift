import ValetModel

@testable import ValetStore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/valet-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no temporary folder")
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in FilePath.entries(of: path) {
            let file = path + "/" + name
            if unlink(file) != 0 { rmdir(file) }
        }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// A database made by running `sql`.
    func database(_ sql: String, name: String = "test.db") throws -> String {
        FilePath.remove(file(name))
        let connection = try Connection(path: file(name), access: .create)
        try connection.run(sql)
        return file(name)
    }

    func write(_ bytes: [UInt8], to name: String) -> String {
        let descriptor = open(file(name), O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        precondition(descriptor >= 0, "can't write \(name)")
        defer { close(descriptor) }
        do {
            try FilePath.write(bytes[...], to: descriptor, for: name)
        } catch {
            preconditionFailure("\(error)")
        }
        return file(name)
    }

    func write(_ text: String, to name: String) -> String {
        write(Array(text.utf8), to: name)
    }
}

func bytes(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    precondition(descriptor >= 0, "can't read \(path)")
    defer { close(descriptor) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count <= 0 { return all }
        all.append(contentsOf: buffer[..<count])
    }
}

/// The error that `body` throws.
func failure(_ body: () throws -> Void) -> ValetError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ValetError
    }
}

/// SplitMix64: small, and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Cell {
    /// What a borrowed value says, for comparing.
    init(_ value: BorrowedValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let bytes): self.init(textBytes: bytes)
        case .blob(let byteCount): self = .blob(bytes: [], byteCount: byteCount)
        }
    }
}

struct ReadRow: Equatable {
    var id: Int64
    var cells: [Cell]
}

extension Reader {
    /// All rows of a list with all columns.
    func everything(list: Int, columns: [Int]) throws -> [ReadRow] {
        var rows: [ReadRow] = []
        try scan(list: list, columns: columns) { row in
            rows.append(ReadRow(id: row.id, cells: columns.indices.map { Cell(row[$0]) }))
        }
        return rows
    }
}

extension Database {
    func list(_ name: String) throws -> Int {
        let found = try catalog.list(named: name)
        return catalog.lists.firstIndex { $0.name == found.name } ?? 0
    }
}
