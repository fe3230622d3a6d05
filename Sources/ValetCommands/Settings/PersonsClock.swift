import Foundation
import ValetModel

/// The time and the zone of the person at this computer.
enum PersonsClock {
    /// Now, in seconds since 1970.
    static var second: Int64 { Int64(Date().timeIntervalSince1970) }
    static var zone: ZoneClock? { ZoneClock.nameOfSystem.flatMap(ZoneClock.init(named:)) }
}
