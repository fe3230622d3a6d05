import ValetArrangement
import ValetModel
import ValetProtocol
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
    /// nil for one that this server makes itself, or that came from another node.
    var asked: Asked?

    /// As a station has asked for it, so that another node can understand it, too.
    struct Asked: Hashable, Sendable {
        let request: CommandRequest
        /// Whether it was made with the catalog as it is.
        let isCurrent: Bool
    }
}

/// The writer's answer. The changes it reports are durable.
enum WriterResult: Sendable {
    case writer(WriterID)
    case retired
    case outcome(Outcome)
}
