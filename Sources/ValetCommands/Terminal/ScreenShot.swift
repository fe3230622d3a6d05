import Foundation
import ValetModel
import ValetTerminal

/// One screen, drawn when the target has answered everything that the application asked.
struct ScreenShot {
    let target: TargetOptions
    let options: AppOptions
    let size: Size
    let keys: [Key]

    func take() async throws -> Screen {
        let (changes, yieldChange) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let queue = EventQueue { yieldChange.yield() }
        let outstanding = Outstanding { yieldChange.yield() }
        let session = AppSession(
            target: target, options: options, size: size, queue: queue, outstanding: outstanding,
            measuresRoundTrips: false)
        session.connect()
        var rest = keys[...]
        for await _ in changes {
            session.drainQueue()
            if let failure = session.failure { throw failure }
            // At rest: the next key, or the picture.
            while outstanding.isZero, session.exitCode == nil, let key = rest.popFirst() {
                session.handle(.tick(milliseconds: session.milliseconds))
                session.handle(.key(key))
                session.drainQueue()
            }
            if outstanding.isZero, rest.isEmpty || session.exitCode != nil { break }
        }
        session.drainQueue()
        let screen = session.app.draw()
        await session.end()?.close()
        return screen
    }
}
