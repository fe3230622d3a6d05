import NIOCore
import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Explains why a server can't listen on its address, and what to do.
enum ListeningFailure {
    /// `.notAllowed` if the system forbids the address to this user, otherwise `.unexpected`. The
    /// error never reaches a peer.
    static func error(_ cause: any Error, host: String, port: Int) -> ValetError {
        let place = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        guard let number = (cause as? IOError)?.errnoCode else {
            // The only other step before listening is the name lookup.
            return ValetError(
                .unexpected,
                "there is no address for “\(host)” to listen on: check the name, or write an "
                    + "address such as 127.0.0.1")
        }
        switch number {
        case EADDRINUSE:
            return ValetError(
                .unexpected,
                "another program listens on \(place) already: end it, or choose another port; "
                    + "port 0 lets the system choose")
        case EACCES, EPERM:
            return ValetError(
                .notAllowed,
                "the system does not allow this user to listen on \(place): choose a port from "
                    + "1024 up")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            return ValetError(
                .unexpected,
                "this machine has no address \(host) to listen on: choose 127.0.0.1 or another "
                    + "address of its own")
        default:
            return ValetError(
                .unexpected, "can't listen on \(place): \(String(cString: strerror(number)))")
        }
    }
}
