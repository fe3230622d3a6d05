/// Answers `Unfollow`: no more changes of the feed will come.
///
/// ```
/// varint   request
/// ```
package struct Unfollowed: RequestMessage {
    package static let kind = FrameKind.unfollowed

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
