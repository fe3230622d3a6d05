import Foundation
import TestSupport

@testable import ValetCommands

/// What a writer sends to standard output while `body` has it.
func written(_ format: OutputFormat, by body: (RecordWriter) throws -> Void) throws -> String {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("output")
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    try body(RecordWriter(format, output: StandardOutput(descriptor: descriptor)))
    return try String(contentsOfFile: path, encoding: .utf8)
}

/// What it sends for `records`.
func written(
    _ format: OutputFormat, _ records: [OutputRecord], names: [String] = []
) throws -> String {
    try written(format) { writer in
        writer.names = names
        for record in records { try writer.write(record) }
        try writer.finish()
    }
}
