import NIOCore
import Testing
import ValetModel

@testable import ValetServer

@Suite struct FailedAttemptsTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func source(_ text: String) throws -> FailedAttempts.Source {
        try #require(FailedAttempts.Source(try SocketAddress(ipAddress: text, port: 1)))
    }

    @Test func whoGoesOnHasToWait() throws {
        var attempts = FailedAttempts()
        let here = try source("192.0.2.1")
        let told = (0..<Limits.attemptsAtOnce).map { number in
            #expect(attempts.wait(of: here, at: start) == nil, "\(number)")
            return attempts.failed(here, at: start)
        }
        // The first is told, and the one from which on it has to wait.
        #expect(told.filter { $0 }.count == 2 && told.first == true && told.last == true)
        let seconds = try #require(attempts.wait(of: here, at: start))
        #expect(seconds == Limits.secondsPerAttempt)
        #expect(attempts.wait(of: here, at: start + .seconds(Int64(seconds))) == nil)
        #expect(attempts.wait(of: try source("192.0.2.2"), at: start) == nil)
        // However long it goes on, it waits no longer, and nothing more is told.
        let toldLater = (0..<100).map { _ in attempts.failed(here, at: start) }
        #expect(!toldLater.contains(true))
        #expect(attempts.wait(of: here, at: start) == seconds)
        let muchLater = (1...100).map { second in
            attempts.failed(here, at: start + .seconds(Int64(second)))
        }
        #expect(!muchLater.contains(true))
    }

    @Test func whoIsRefusedHearsHowLong() throws {
        let (attempts, here) = (Attempts(), try source("192.0.2.1"))
        for _ in 0..<Limits.attemptsAtOnce { _ = attempts.failed(here, at: start) }
        let error = attempts.refusal(of: here, at: start)
        #expect(error?.retryAfter == .seconds(Limits.secondsPerAttempt))
    }

    @Test func allIsForgottenInTime() throws {
        var attempts = FailedAttempts()
        let here = try source("192.0.2.1")
        for _ in 0..<100 { _ = attempts.failed(here, at: start) }
        let later = start + .seconds(Int64(Limits.attemptsAtOnce * Limits.secondsPerAttempt))
        let isTold = attempts.failed(here, at: later)
        #expect(isTold)
        #expect(attempts.wait(of: here, at: later) == nil)
    }

    @Test func aNetworkIsOneSource() throws {
        #expect(try source("2001:db8::1") == source("2001:db8:0:0:ffff::2"))
        #expect(try source("2001:db8::1") != source("2001:db8:0:1::1"))
        #expect(try source("::ffff:192.0.2.1") == source("192.0.2.1"))
        #expect(try source("192.0.2.1") != source("192.0.2.2"))
        #expect(FailedAttempts.Source(nil) == nil)
        #expect(FailedAttempts.Source(try SocketAddress(unixDomainSocketPath: "/x")) == nil)
    }

    @Test func itRemembersSoManyAndThoseWithTheMostFailures() throws {
        var attempts = FailedAttempts()
        let worst = try source("198.51.100.1")
        for _ in 0..<Limits.attemptsAtOnce { _ = attempts.failed(worst, at: start) }
        for number in 0..<Limits.addressesOfAttempts * 2 {
            let address = "10.0.\(number / 256).\(number % 256)"
            _ = attempts.failed(try source(address), at: start)
        }
        #expect(attempts.count <= Limits.addressesOfAttempts)
        #expect(attempts.wait(of: worst, at: start) != nil)
    }

    @Test func nobodyWaitsWhereSomebodyIsIn() throws {
        let (attempts, here) = (Attempts(), try source("192.0.2.1"))
        for _ in 0..<Limits.attemptsAtOnce { _ = attempts.failed(here, at: start) }
        #expect(attempts.refusal(of: here, at: start)?.code == .tooManyClients)
        attempts.entered(here)
        attempts.entered(here)
        #expect(attempts.refusal(of: here, at: start) == nil)
        attempts.left(here)
        #expect(attempts.refusal(of: here, at: start) == nil)
        attempts.left(here)
        #expect(attempts.refusal(of: here, at: start) != nil)
        #expect(attempts.refusal(of: nil, at: start) == nil)
    }
}
