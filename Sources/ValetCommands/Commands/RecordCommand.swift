import ArgumentParser

/// A command that writes what it reads from a target as records.
protocol RecordCommand: AsyncParsableCommand {
    var target: TargetOptions { get }
    var format: FormatOptions { get }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws
}

extension RecordCommand {
    func run() async throws {
        try await writeRecords()
    }

    func writeRecords() async throws {
        try await OpenTarget.with(target) { open in
            let writer = RecordWriter(format.chosen)
            try await writeRecords(of: open, to: writer)
            try writer.finish()
        }
    }
}
