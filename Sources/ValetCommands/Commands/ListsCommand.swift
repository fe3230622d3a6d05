import ArgumentParser
import Foundation
import ValetClient
import ValetModel
import ValetStore

struct ListsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Show the lists, with their groupings and scopes.",
        discussion: "Tables that can't be lists are named on standard error, each with its reason.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let (catalog, counts) = try await open.connection.catalog()
        writer.names = ["name", "title", "rows", "groupings", "scopes", "editable"]
        let chosen = try open.list.map { try catalog.list(named: $0).name }
        for (list, count) in zip(catalog.lists, counts)
        where chosen == nil || chosen == list.name {
            try writer.write([
                ("name", .text(list.name)),
                ("title", .text(list.title)),
                ("rows", .optional(count)),
                ("groupings", .list(list.groupings.map { .text($0.name) })),
                ("scopes", .list(list.scopes.map { .text($0.name) })),
                ("editable", .bool(list.isEditable)),
            ])
        }
        if chosen == nil { Self.tellLeftOut(of: catalog) }
    }

    /// On standard error, since they are no records.
    private static func tellLeftOut(of catalog: Catalog) {
        var lines = catalog.leftOut.map(\.text)
        let others = catalog.leftOutCount - catalog.leftOut.count
        if others > 0 { lines.append("… and \(others) more tables") }
        for line in lines { StandardStreams.warn(line) }
    }
}

struct SchemaCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Show the columns of a list, or a catalog to start from.",
        discussion: """
            --yaml prints all that holds for the list, or for all lists, as a catalog for \
            --catalog. A server doesn't tell which table a list shows, nor where it is loaded \
            from: add these.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    @Flag(help: "The catalog as YAML.")
    var yaml = false

    func validate() throws {
        if yaml, format.format != nil {
            throw ValidationError("Use --yaml or --format, not both.")
        }
    }

    func run() async throws {
        guard yaml else { return try await writeRecords() }
        try await OpenTarget.with(target) { open in
            try StandardOutput.write(try await catalogText(of: open))
        }
    }

    private func catalogText(of open: OpenTarget) async throws -> String {
        let (catalog, _) = try await open.connection.catalog(countingRows: false)
        var tables: [String?] = catalog.lists.map { _ in nil }
        var sources: [ListSource?] = catalog.lists.map { _ in nil }
        var hasHiddenTables = false
        if case .file(let path) = try Target(target.target) {
            let database = try Database(path: path, catalogPath: target.catalog)
            if database.catalog.lists.map(\.name) == catalog.lists.map(\.name) {
                tables = database.tableNames
                sources = database.listSources
                hasHiddenTables = database.hasHiddenTables
            }
        }
        guard open.list != nil else {
            return CatalogText.yaml(
                of: catalog.lists, tables: tables, sources: sources,
                onlyThese: hasHiddenTables)
        }
        let list = try await open.chosenList()
        let place = catalog.lists.firstIndex { $0.name == list.name }
        return CatalogText.yaml(
            of: [list], tables: [place.flatMap { tables[$0] }],
            sources: [place.flatMap { sources[$0] }])
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        for (index, column) in list.columns.enumerated() {
            try writer.write([
                ("column", .text(column.name)),
                ("label", .text(column.label)),
                ("type", .text(column.type.name)),
                ("unit", .optional(column.unit)),
                ("default", column.defaultText.isEmpty ? .null : .text(column.defaultText)),
                ("title", .bool(index == list.titleColumn)),
            ])
        }
    }
}
