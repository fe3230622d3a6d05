/// Answers `RetireWriter`.
///
/// ```
/// varint   request
/// ```
package struct WriterRetired: RequestMessage {
    package static let kind = FrameKind.writerRetired

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
