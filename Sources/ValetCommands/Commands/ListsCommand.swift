import ArgumentParser
import ValetModel

struct ListsCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists", abstract: "The lists that there are, with their groupings and scopes."
    )

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
    }
}

struct SchemaCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "The columns of a list.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        for (index, column) in list.columns.enumerated() {
            try writer.write([
                ("column", .text(column.name)),
                ("label", .text(column.label)),
                ("type", .text(column.type.name)),
                ("unit", .optional(column.unit)),
                ("default", column.isText ? .text(column.defaultText) : .null),
                ("title", .bool(index == list.titleColumn)),
            ])
        }
    }
}
