/// Asks for a copy of the served file, from which blocks are read.
///
/// ```
/// varint   request
/// ```
package struct BackupRequest: RequestMessage {
    package static let kind = FrameKind.backupRequest

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
