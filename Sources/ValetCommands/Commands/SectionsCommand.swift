import ArgumentParser
import ValetClient
import ValetModel

struct SectionsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "sections", abstract: "The sections of a list, in order.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var question: QuestionOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(question.question)
        writer.names = ["section", "title", "count", "first", "index"]
        var next = 0
        while next < view.summary.totalSections {
            let sections = try await view.sections(
                from: next, count: Limits.sectionsPerAnswer)
            guard !sections.isEmpty else { break }
            for section in sections {
                try writer.write([
                    ("section", .integer(section.section)),
                    ("title", .sectionTitle(section.title)),
                    ("count", .integer(section.count)),
                    ("first", .integer(section.first)),
                    ("index", .optional(section.indexTitle)),
                ])
            }
            next += sections.count
        }
    }
}

struct IndexCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "The section index: titles that jump to sections.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var question: QuestionOptions
    @OptionGroup var format: FormatOptions

    @Option(parsing: .unconditional, help: "At most this many titles, spread evenly.")
    var most: Int = Limits.titlesPerIndex

    func validate() throws {
        guard (1...Limits.titlesPerIndex).contains(most) else {
            throw ValidationError("--most must be from 1 to \(Limits.titlesPerIndex).")
        }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(question.question)
        writer.names = ["index", "section", "first"]
        for entry in try await view.index(most: most) {
            try writer.write([
                ("index", .text(entry.title)),
                ("section", .integer(entry.section)),
                ("first", .integer(entry.first)),
            ])
        }
    }
}

struct CountCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "How many rows a list has, or a search finds.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var question: QuestionOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(question.question)
        try writer.write([("count", .integer(view.summary.totalRows))])
    }
}
