/// One row of the fleet. nil is NULL; texts may be empty, since people leave them so.
package struct Car: Hashable, Sendable {
    package var make: String?
    package var model: String?
    package var year: Int64?
    /// Litres, to a tenth.
    package var fuel: Double?
    /// Seconds since 1970, UTC: numbers sort and group without being read as text first.
    package var parked: Int64?
    package var ownerFirst: String?
    package var ownerLast: String?
}
