import NIOCore
import ValetModel

/// The copy that the server has made.
///
/// ```
/// varint   request
/// varint   revision of the newest command in it, or 0
/// varint   bytes
/// bytes    SHA-256 of all of them
/// ```
package struct BackupAnswer: Message {
    package static let kind = FrameKind.backupAnswer

    package var request: UInt32
    package var backup: BackupDescription

    package init(request: UInt32, backup: BackupDescription) {
        self.request = request
        self.backup = backup
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(backup.revision)
        payload.writeCount(backup.byteCount)
        payload.writeSized(backup.digest)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        backup = BackupDescription(
            revision: try payload.varint(), byteCount: try payload.count(),
            digest: try payload.digest())
    }
}
