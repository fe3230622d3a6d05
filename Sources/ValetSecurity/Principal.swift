import Crypto
import Foundation
import ValetModel

/// Whom a connection acts for: a station, a person or a program that the server's operator knows.
///
/// Its name is its identity, as long as the operator gives it to the same one: what it did and may
/// undo goes by the name, whichever token it proves that with.
public struct Principal: Hashable, Sendable {
    /// At most 64 letters, digits, `.`, `_` and `-`.
    public let name: String
    /// The names of what it may do, in the operator's order.
    public let roles: [String]

    /// nil for a name that is none.
    public init?(name: String, roles: [String]) {
        guard ([name] + roles).allSatisfy(Self.isName), roles.count <= Limits.rolesPerPrincipal
        else { return nil }
        (self.name, self.roles) = (name, roles)
    }

    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte.isLetterOrDigit || ".-_".utf8.contains(byte)
            }
    }

    /// The station as the server knows it: of the same principal and id it is always the same one,
    /// and of different principals never.
    package func binding(_ station: Station) -> Station {
        var hash = SHA256()
        hash.update(data: Data(name.utf8))
        for half in [station.id.high, station.id.low] {
            withUnsafeBytes(of: half.littleEndian) { hash.update(bufferPointer: $0) }
        }
        let halves = hash.finalize().withUnsafeBytes { bytes in
            [0, 8].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
        // No principal has a slash in its name.
        let isNamedSo = station.name.isEmpty || station.name == name
        let full = isNamedSo ? name : "\(name)/\(station.name)"
        return Station(
            name: full.cut(toBytes: Limits.bytesPerName),
            id: StationID(
                high: UInt64(littleEndian: halves[0]), low: UInt64(littleEndian: halves[1])))
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
