import NIOCore
import ValetModel

/// The server's first frame: the negotiated version and features, and the server's limits.
///
/// ```
/// varint   version
/// varint   features, a bit each
/// u64      epoch: one life of the server
/// text     the server's name and version
/// varint   bytes per frame, of views, of rows per window, of waiting requests, seconds of silence
/// list     parameters
/// ```
package struct Welcome: Message {
    package static let kind = FrameKind.welcome

    package var version: UInt32
    package var features: UInt64
    package var epoch: UInt64
    package var server: String
    package var bytesPerFrame: Int
    package var views: Int
    package var rowsPerWindow: Int
    package var waitingRequests: Int
    package var secondsOfSilence: Int
    package var parameters: [Parameter]

    package init(epoch: UInt64, server: String) {
        version = 1
        features = 0
        self.epoch = epoch
        self.server = server
        bytesPerFrame = Limits.bytesPerClientFrame
        views = Limits.viewsPerConnection
        rowsPerWindow = Limits.rowsPerWindow
        waitingRequests = Limits.waitingRequestsPerConnection
        secondsOfSilence = Limits.secondsOfSilence
        parameters = []
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(version))
        payload.writeVarint(features)
        payload.writeFixed64(epoch)
        payload.writeText(server)
        payload.writeCount(bytesPerFrame)
        payload.writeCount(views)
        payload.writeCount(rowsPerWindow)
        payload.writeCount(waitingRequests)
        payload.writeCount(secondsOfSilence)
        Parameter.write(parameters, into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        version = try payload.uint32()
        features = try payload.varint()
        epoch = try payload.fixed64()
        server = try payload.name("server name")
        bytesPerFrame = try payload.count()
        views = try payload.count()
        rowsPerWindow = try payload.count()
        waitingRequests = try payload.count()
        secondsOfSilence = try payload.count()
        parameters = try Parameter.read(from: &payload)
    }
}
