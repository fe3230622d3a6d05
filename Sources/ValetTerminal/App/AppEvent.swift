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
    /// All others in the same list.
    case othersChanged([StationPresence])

    /// To a call, or news of one that stands.
    case answer(CallToken, Result<Reply, ValetError>)
    case fileAnswer(FileCall, Result<FileReply, ValetError>)
}
