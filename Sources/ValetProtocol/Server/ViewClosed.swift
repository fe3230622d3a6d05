/// The stream's view is closed; its number may be reused.
///
/// ```
/// varint   request
/// ```
package struct ViewClosed: RequestMessage {
    package static let kind = FrameKind.viewClosed

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
