import ValetArrangement
import ValetModel
import ValetStore

/// What a session asks of the file's writer.
enum WriterOrder: Hashable, Sendable {
    case assignWriter(Station)
    /// - Parameter isRefresh: whether what it did was a refresh, which nobody undoes later.
    case retireWriter(WriterID, of: Station, isRefresh: Bool = false)
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
    case writer(WriterID)
    case retired
    case outcome(Outcome)
}
