/// Asks for the server's statistics.
///
/// ```
/// varint   request
/// ```
package struct StatisticsRequest: RequestMessage {
    package static let kind = FrameKind.statisticsRequest

    package var request: UInt32

    package init(request: UInt32) { self.request = request }
}
