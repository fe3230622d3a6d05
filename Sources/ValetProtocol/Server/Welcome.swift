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

    package var version = Hello.version
    package var features: UInt64 = 0
    package var epoch: UInt64
    package var server: String
    package var bytesPerFrame = Limits.bytesPerClientFrame
    package var views = Limits.viewsPerConnection
    package var rowsPerWindow = Limits.rowsPerWindow
    package var waitingRequests = Limits.waitingRequestsPerConnection
    package var secondsOfSilence = Limits.secondsOfSilence
    package var parameters: [Parameter] = []

    package init(epoch: UInt64, server: String) {
        self.epoch = epoch
        self.server = server
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
        payload.writeList(parameters)
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
        parameters = try payload.parameters()
    }
}
