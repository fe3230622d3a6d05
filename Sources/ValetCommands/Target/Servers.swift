import ValetClient
import ValetModel
import ValetSecurity

import struct Synchronization.Atomic

/// The servers of a target: one, or the nodes of a cluster, which have the same lists. In the order
/// in which they are tried.
package struct Servers: Hashable, Sendable {
    static let most = 16

    /// Not empty.
    package let addresses: [ServerAddress]

    package init(_ address: ServerAddress) { addresses = [address] }

    /// nil without any, or with one twice.
    package init?(_ addresses: [ServerAddress]) {
        guard !addresses.isEmpty, Set(addresses.map(\.place)).count == addresses.count else {
            return nil
        }
        self.addresses = addresses
    }

    /// nil if there are several.
    package var only: ServerAddress? { addresses.count == 1 ? addresses[0] : nil }

    var areEncrypted: Bool { addresses[0].isEncrypted }

    /// What is kept for them stands under this name.
    var place: String { addresses.map(\.place).joined(separator: ",") }

    /// What a person calls them.
    var name: String { addresses.map(\.host).joined(separator: ",") }
}

/// Whose turn it is when a station connects, again or for the first time.
final class ServerTurns: Sendable {
    private let addresses: [ServerAddress]
    private let authorities: String?
    /// Of the server that is tried first.
    private let next = Atomic(0)

    /// - Parameter authorities: the path of certificates.
    init(_ servers: Servers, authorities: String?) {
        (addresses, self.authorities) = (servers.addresses, authorities)
    }

    /// Connects to the first server that takes the connection. Whoever comes again has lost it, and
    /// tries the others first.
    ///
    /// - Parameter connect: the trust is nil without TLS.
    /// - Throws: the error of the server that was tried first.
    func connect<Connected>(
        _ connect: (ServerAddress, ServerTrust?) async throws(ValetError) -> Connected
    ) async throws(ValetError) -> Connected {
        let first = next.load(ordering: .relaxed)
        var failure: ValetError?
        for turn in addresses.indices {
            let place = (first + turn) % addresses.count
            do throws(ValetError) {
                let connected = try await connect(addresses[place], trust(in: addresses[place]))
                next.store((place + 1) % addresses.count, ordering: .relaxed)
                return connected
            } catch {
                failure = failure ?? error
            }
        }
        guard let failure, addresses.count > 1 else {
            throw failure ?? ValetError(.unexpected, "there is no server to connect to")
        }
        let others = addresses.count == 2 ? "the other server" : "any of the other servers"
        throw ValetError(
            failure.code, "\(failure.message), and no connection to \(others), either",
            retryAfter: failure.retryAfter)
    }

    /// Read each time: another key may have been told meanwhile.
    private func trust(in address: ServerAddress) throws(ValetError) -> ServerTrust? {
        guard address.isEncrypted else { return nil }
        if let authorities { return .authorities(path: authorities) }
        return try KnownServers().trust(at: address)
    }
}
