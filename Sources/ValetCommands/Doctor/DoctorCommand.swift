import ArgumentParser
import ValetModel

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the terminal, the configuration and a target.",
        discussion: """
            Each line is ok, note or wrong, and says what to do. The exit code is 1 if anything is \
            wrong. Nothing is changed. The search for damage in a file stops after 5 seconds.
            """)

    @Argument(
        help: "What to open: valet://HOST[:PORT], a SQLite file, or a CSV file.",
        completion: .file())
    var target: String?

    @Option(help: "A YAML catalog for a file.", completion: .file())
    var catalog: String?

    @OptionGroup var format: FormatOptions

    func run() async throws {
        var findings = Finding.ofMachine()
        if let target { findings += try await Finding.ofTarget(target, catalog: catalog) }
        if format.format == nil {
            try StandardOutput.write(findings.map { $0.line + "\n" }.joined())
        } else {
            let writer = RecordWriter(format.chosen)
            for finding in findings { try writer.write(finding.record) }
            try writer.finish()
        }
        if findings.contains(where: { $0.state == .wrong }) {
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }
}
