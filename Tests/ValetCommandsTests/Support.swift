import Foundation
import TestSupport
import ValetModel

@testable import ValetCommands

/// A folder that lasts as long as `body` runs.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(URL(filePath: folder.path)) }
}

/// What a writer sends to standard output for `records`.
func written(
    _ format: OutputFormat, _ records: [OutputRecord], names: [String] = []
) throws -> String {
    try withFolder { folder in
        let file = folder.appending(path: "output")
        let descriptor = open(file.path, O_WRONLY | O_CREAT, 0o600)
        defer { close(descriptor) }
        let writer = RecordWriter(format, output: StandardOutput(descriptor: descriptor))
        writer.names = names
        for record in records { try writer.write(record) }
        try writer.finish()
        return try String(contentsOf: file, encoding: .utf8)
    }
}
