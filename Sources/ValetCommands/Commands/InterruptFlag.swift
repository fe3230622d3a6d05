import ArgumentParser
import Foundation

import struct Synchronization.Atomic

/// Set by a request to end: long work polls it, and undoes what it did.
///
/// A second Ctrl-C ends the process at once. Other signals only ask, however often they come:
/// `timeout` sends SIGTERM twice, and a terminal that closes sends SIGHUP twice.
enum InterruptFlag {
    /// The first signal's number; 0 before it.
    private static let signal = Atomic<Int32>(0)

    /// Runs long work that polls `isSet`. If it was asked to end, its error is the exit code.
    static func watched<Result>(_ work: () throws -> Result) throws -> Result {
        let earlier = watch()
        defer { unwatch(earlier) }
        do {
            return try work()
        } catch {
            throw ending(error)
        }
    }

    /// - Parameter end: makes what the work waits for fail, since it can't poll meanwhile.
    static func watched<Result>(
        _ work: () async throws -> Result, whenAsked end: @escaping @Sendable () async -> Void
    ) async throws -> Result {
        let earlier = watch()
        defer { unwatch(earlier) }
        let watcher = Task {
            // A signal's handler can wake no task.
            while !isSet { try await Task.sleep(for: .milliseconds(50)) }
            await end()
        }
        defer { watcher.cancel() }
        do {
            return try await work()
        } catch {
            throw ending(error)
        }
    }

    private static func ending(_ error: any Error) -> any Error {
        exitCode.map { ExitCode($0) } ?? error
    }

    private typealias Action = (number: Int32, action: sigaction)

    /// - Returns: what signals did before.
    private static func watch() -> [Action] {
        var earlier: [Action] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            // `nohup`, and a shell for what runs in its background, ignore signals on purpose.
            guard sigaction(number, nil, &action) == 0, !isIgnored(action) else { continue }
            earlier.append((number, action))
            // Without SA_RESTART, so that a signal also ends a read that waits for a pipe.
            action = sigaction()
            set(&action, note)
            _ = sigaction(number, &action, nil)
        }
        return earlier
    }

    private static func unwatch(_ earlier: [Action]) {
        for (number, var action) in earlier { _ = sigaction(number, &action, nil) }
    }

    static var isSet: Bool { exitCode != nil }

    /// 128 and the signal's number, as shells have it.
    static var exitCode: Int32? {
        let number = signal.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }

    /// Uses only an atomic and `_exit`, as a signal handler may.
    private static let note: @convention(c) (Int32) -> Void = { number in
        let earlier = signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
        if !earlier.exchanged, number == SIGINT, earlier.original == SIGINT { _exit(128 + SIGINT) }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func set(
        _ action: inout sigaction, _ handler: @escaping @convention(c) (Int32) -> Void
    ) {
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
    }
}
