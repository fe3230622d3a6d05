/// Closes the stream's view. Its pending requests are answered as superseded.
///
/// ```
/// varint   request
/// ```
package struct CloseView: RequestMessage {
    package static let kind = FrameKind.closeView

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
