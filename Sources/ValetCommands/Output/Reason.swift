import Foundation
import ValetModel

/// Why a file can't be read or written, in the system's words.
func reason(_ error: any Error) -> String {
    if let error = error as? ValetError { return error.message }
    let cause = (error as? CocoaError)?.underlying ?? error
    guard let cause = cause as? POSIXError else { return "\(error)" }
    return "\(SystemError(cause.code.rawValue))"
}
