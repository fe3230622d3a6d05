import ArgumentParser

/// A command that writes what it reads from a target as records.
protocol RecordCommand: AsyncParsableCommand {
    var target: TargetOptions { get }
    var format: FormatOptions { get }
    /// Whether it changes rows, which others see under the station's name.
    var changesRows: Bool { get }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws
}

extension RecordCommand {
    var changesRows: Bool { false }

    func run() async throws {
        try await writeRecords()
    }

    func writeRecords() async throws {
        try await OpenTarget.with(target, changesRows: changesRows) { open in
            let writer = RecordWriter(format.chosen)
            try await writeRecords(of: open, to: writer)
            try writer.finish()
        }
    }
}
