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

    package init(epoch: UInt64, server: String, earlierEpochs: Set<UInt64> = []) {
        self.epoch = epoch
        self.server = server
        guard !earlierEpochs.isEmpty else { return }
        let bytes = earlierEpochs.sorted().prefix(Parameter.bytesOfValue / 8).flatMap { epoch in
            withUnsafeBytes(of: epoch.littleEndian) { Array($0) }
        }
        parameters = [Parameter(key: Parameter.earlierEpochs, value: bytes)]
    }

    /// Those in which columns and row ids meant what they mean in this one, as far as the server
    /// says so.
    package var earlierEpochs: Set<UInt64> {
        let bytes = parameters.last { $0.key == Parameter.earlierEpochs }?.value ?? []
        return Set(
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { place in
                bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            })
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
        for parameter in parameters where parameter.key == Parameter.earlierEpochs {
            guard parameter.value.count.isMultiple(of: 8) else {
                throw PayloadReader.malformed("\(parameter.value.count) bytes of epochs")
            }
        }
    }
}
