import Foundation
import ValetModel
import ValetTerminal

/// One screen, drawn when the target has answered everything that the application asked.
struct ScreenShot {
    let target: TargetOptions
    let options: AppOptions
    let size: Size
    let keys: [Key]

    /// Longer than anything waits for keys to rest.
    private static let restMilliseconds = 1_000

    func take() async throws -> Screen {
        let (changes, yieldChange) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let queue = EventQueue { yieldChange.yield() }
        let outstanding = Outstanding { yieldChange.yield() }
        let session = AppSession(
            target: target, options: options, size: size, queue: queue, outstanding: outstanding,
            isInteractive: false)
        // An answer is queued before it counts as answered, and handling it may send another
        // request. So the session is at rest if all is answered and the queue is empty after that.
        func isAtRest() -> Bool {
            while true {
                let isAnswered = outstanding.isZero
                if !session.drainQueue() { return isAnswered }
            }
        }
        session.connect()
        var rest = keys[...]
        // Each key comes when the one before has shown what it does, however long that takes.
        var milliseconds = 0
        for await _ in changes {
            var rests = isAtRest()
            // At rest: the next key, or the picture.
            while rests, session.exitCode == nil, let key = rest.popFirst() {
                milliseconds += Self.restMilliseconds
                session.handle(.tick(milliseconds: milliseconds))
                session.handle(.key(key))
                rests = isAtRest()
            }
            if let failure = session.failure { throw failure }
            guard rests, rest.isEmpty || session.exitCode != nil else { continue }
            // The person looks on: what waits for that is asked for now, and a frame that stood
            // until an answer came has stood long enough.
            session.handle(.tick(milliseconds: milliseconds + Self.restMilliseconds))
            if isAtRest() { break }
        }
        let screen = session.app.draw()
        await session.end().end()
        return screen
    }
}
