import struct Synchronization.Atomic

/// Numbers the leaves of a list's arrangements, uniquely within an epoch.
///
/// A leaf whose rows or cells change becomes a new leaf with a new number, so a number identifies
/// immutable bytes and can name pages.
package final class LeafNumbers: Sendable {
    /// Leaf numbers take 48 bits of a page name.
    package static let bits = 48
    private let next: Atomic<UInt64>

    package init(first: UInt64 = 1) {
        next = Atomic(first)
    }

    package func take(_ count: Int = 1) -> UInt64 {
        let first = next.wrappingAdd(UInt64(count), ordering: .relaxed).oldValue
        precondition(first < 1 << UInt64(Self.bits), "leaf numbers are used up")
        return first
    }
}
