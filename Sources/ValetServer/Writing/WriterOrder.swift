import ValetArrangement
import ValetModel
import ValetStore

/// What a session asks of the file's writer.
enum WriterOrder: Hashable, Sendable {
    case assignWriter(Station)
    case retireWriter(UInt64, of: Station)
    case apply(ListCommand)
}

/// A command with what the catalog says about it.
struct ListCommand: Hashable, Sendable {
    var sent: SentCommand
    /// nil for one that was made with another catalog.
    let list: Int?
    /// What finds the rows of a command that names none.
    var matching: ArrangementSpecification?
}

/// The writer's answer. The changes it reports are durable.
enum WriterResult: Sendable {
    case writer(UInt64)
    case retired
    case outcome(Outcome)
}
