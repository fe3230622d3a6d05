import ValetArrangement
import ValetModel

/// Folding and searching of text.
extension MicroBench {
    private static let needlesPerLength = 10

    func texts() throws -> [Measurement] {
        var needles = try Needles(
            file: file, table: Bench.list, seed: plan.seed, rows: cache.rowCount)
        let models = try BenchPlan.needleLengths.flatMap { length in
            try needles.take(Self.needlesPerLength, ofLength: length, from: "model")
        }
        let plates = Plates(seed: plan.seed)
        var builder = ColumnCacheBuilder(
            descriptions: [ColumnDescription(name: Plates.column, type: .text)], wanted: [0])
        for index in 0..<cache.rowCount {
            builder.beginRow(Int64(index + 1))
            var plate = plates.plate(at: index)
            plate.withUTF8 { builder.append(.text(UnsafeRawBufferPointer($0)), to: 0) }
        }
        var random = SeededNumbers(seed: plan.seed, index: -21)
        let parts = BenchPlan.needleLengths.flatMap { length in
            (0..<Self.needlesPerLength).map { _ in
                let plate = plates.plate(at: random.below(cache.rowCount))
                return String(plate.dropFirst(random.below(3)).prefix(length))
            }
        }
        return [
            try fold("ascii", "fold a plain name", "Mercedes-Benz C 200"),
            try fold("marks", "fold a name with marks", "Škoda Élodie Grünwald"),
            try scan("dictionary", "scan of a text that repeats", cache, "model", for: models),
            try scan(
                "distinct", "scan of an all-distinct text", builder.finish(), Plates.column,
                for: parts),
        ]
    }

    private func fold(_ id: String, _ name: String, _ text: String) throws -> Measurement {
        let bytes = Array(text.utf8)
        var folded: [UInt8] = []
        return try timer.measure("fold.\(id)", name, batch: 1_000) { _ in
            folded.removeAll(keepingCapacity: true)
            bytes.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
            return folded.count
        }
    }

    /// Looks for one needle after the other, as a server does for searches.
    private func scan(
        _ id: String, _ name: String, _ cache: ColumnCache, _ column: String,
        for needles: [String]
    ) throws -> Measurement {
        let columns = [cache.position(ofColumn: column)]
        let tests = needles.compactMap {
            TextTest(text: $0, columns: columns, match: .contains).flatMap { Filter([.text($0)]) }
        }
        guard !tests.isEmpty else {
            throw ValetError(.notAllowed, "no text in “\(file)” to search “\(column)” for")
        }
        return try timer.measure("scan.\(id)", name) { turn in
            try tests[turn % tests.count].scan(cache) { false }.count
        }
    }
}
