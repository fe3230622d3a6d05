import ArgumentParser
import ValetClient
import ValetModel

struct SectionsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "sections",
        abstract: "Show the sections of a list, in order or largest first.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var format: FormatOptions

    @Flag(help: "Largest sections first.")
    var byCount = false

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(query, isPinned: true)
        writer.names = ["section", "title", "count", "first", "index"]
        try await view.forEachSection(byCount: byCount) { section in
            try writer.write([
                ("section", .integer(section.section)),
                ("title", .sectionTitle(section.title)),
                ("count", .integer(section.count)),
                ("first", .integer(section.first)),
                ("index", .optional(section.indexTitle)),
            ])
        }
    }
}

extension ValetView {
    /// Calls `body` with each section, in order or largest first, up to `most`.
    func forEachSection(
        byCount: Bool, most: Int = .max, _ body: (SectionSummary) throws -> Void
    ) async throws {
        var next = 0
        while next < min(most, summary.totalSections) {
            let count = min(most - next, Limits.sectionsPerAnswer)
            let sections =
                byCount
                ? try await largestSections(from: next, count: count)
                : try await self.sections(from: next, count: count)
            guard !sections.isEmpty else { break }
            for section in sections { try body(section) }
            next += sections.count
        }
    }
}

struct IndexCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Show the section index: titles that jump to sections.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var format: FormatOptions

    @Option(parsing: .unconditional, help: "Show at most this many titles, spread evenly.")
    var most: Int = Limits.titlesPerIndex

    func validate() throws {
        guard (1...Limits.titlesPerIndex).contains(most) else {
            throw ValidationError("--most must be from 1 to \(Limits.titlesPerIndex).")
        }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(query)
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
        commandName: "count", abstract: "Count the rows of a list, or those that a query finds.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let view = try await open.view(query)
        try writer.write([("count", .integer(view.summary.totalRows))])
    }
}
