import ValetClient
import ValetModel

/// All events of an application: from the person, the clock and the server.
///
/// Time is the milliseconds of a clock that only goes forward. `tick` comes before each batch of
/// keys, and `App.tickMilliseconds` after the last event.
package enum AppEvent: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    case paste(String)
    case pasteTooLong
    case resized(Size)
    case tick(milliseconds: Int)

    case connecting
    case connected
    case disconnected(reason: String)
    case roundTrip(milliseconds: Int)
    /// The files that were read to be looked at are others by now.
    case filesChanged
    /// All others in the same list.
    case othersChanged([StationPresence])
    /// The node of its cluster that the server is, and how that one is; nil without a connection.
    case nodeChanged(ServingNode?)

    /// To a call, or news of one that stands.
    case answer(CallToken, Result<Reply, ValetError>)
    case fileAnswer(FileCall, Result<FileReply, ValetError>)
}

/// All that an application asks for. The actions are run in order.
package enum AppAction: Hashable, Sendable {
    /// Answered by `AppEvent.answer` with the token.
    case server(CallToken, ServerCall)
    /// The answer is not waited for any more: closes the view, thaws, or stops the refresh.
    case cancel(CallToken)
    /// Answered by `AppEvent.fileAnswer`.
    case file(FileCall)
    case terminal(TerminalEffect)
    /// Try now, without waiting for the next attempt.
    case reconnect
    case end(Ending)

    /// The end, where a person wants it.
    var chosenEnding: Ending? {
        switch self {
        case .end(.fail), .end(.failCondition), .server, .cancel, .file, .terminal, .reconnect: nil
        case .end(let ending): ending
        }
    }
}

/// What only a terminal can do.
package enum TerminalEffect: Hashable, Sendable {
    /// Give the terminal back and stop, as ^Z does.
    case suspend
    /// To the terminal's clipboard.
    case copy(String)
    /// Whether the terminal reports what the mouse does.
    case useMouse(Bool)
    /// Draw the whole screen anew.
    case redraw
}

/// How the program ends.
package enum Ending: Hashable, Sendable {
    case quit(exitCode: Int32)
    /// The rows with these ids are the answer.
    case pick([Int64])
    /// What was asked for cannot be shown.
    case fail(ValetError)
    /// A condition of the options can't be read.
    case failCondition(String, ConditionError)
}

/// What is asked of the saved queries, which a file keeps.
package enum FileCall: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        /// To complete a name that is typed.
        case complete
        /// To ask one of a list; without a name, one that is chosen from all.
        case open(list: String, name: String?)
    }

    /// Those of all lists, in order of their names.
    case read(Purpose)
    /// In place of one of the same list and name.
    case save(SavedQuery)
}

package enum FileReply: Hashable, Sendable {
    case queries([SavedQuery])
    case saved(isReplaced: Bool)
}
