import ArgumentParser
import ValetModel

struct MoveCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move rows by hand, in a list with a manual order.",
        discussion: """
            The rows follow one another in the order given. With --group, the name of a grouping, \
            they also join the section of the row next to which they are put.
            """)

    @OptionGroup var target: TargetOptions

    @Argument(help: "The row ids; write -- before those below zero.")
    var ids: [Int64]

    @Option(parsing: .unconditional, help: "Put them behind this row.")
    var after: Int64?

    @Option(parsing: .unconditional, help: "Put them before this row.")
    var before: Int64?

    @Flag(help: "Move them to the front of the list.")
    var first = false

    @Flag(help: "Move them to the end of the list.")
    var last = false

    @Option(parsing: .unconditional, help: "Move them into the row's section of this grouping.")
    var group: String?

    @OptionGroup var format: FormatOptions

    private func neighbour(_ rowID: Int64) -> MoveDestination.Neighbour {
        MoveDestination.Neighbour(rowID: rowID, joining: group)
    }

    /// All destinations that were given.
    private var destinations: [MoveDestination] {
        [
            after.map { .behind(neighbour($0)) }, before.map { .before(neighbour($0)) },
            first ? .first : nil, last ? .last : nil,
        ].compactMap(\.self)
    }

    func validate() throws {
        guard destinations.count == 1 else {
            throw ValidationError("Name one place: --after ID, --before ID, --first or --last.")
        }
        guard group == nil || destinations.first?.neighbour != nil else {
            throw ValidationError("--group needs --after ID or --before ID.")
        }
        let named = ids + [after, before].compactMap(\.self)
        guard Set(named).count == named.count else {
            throw ValidationError("A row is named twice.")
        }
    }

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        let list = try await open.chosenList()
        guard let destination = destinations.first else { return }
        try await open.submit([.move(rowIDs: ids, to: destination)], to: list, reporting: writer)
    }
}
