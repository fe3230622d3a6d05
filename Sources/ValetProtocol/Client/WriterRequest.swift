/// Asks for a writer, once per client process.
///
/// ```
/// varint   request
/// ```
package struct WriterRequest: RequestMessage {
    package static let kind = FrameKind.writerRequest

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
