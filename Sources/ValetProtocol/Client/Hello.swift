import NIOCore
import ValetModel

/// The first frame of a conversation.
///
/// ```
/// u8 ×4    "VALT"
/// varint   lowest version that the client speaks
/// varint   highest version
/// varint   features that it has, a bit each; version 1 defines none
/// varint   credit: bytes of page frames that the server may have in flight
/// u64 ×2   the station's id, high word first
/// text     the station's name
/// list     parameters
/// ```
package struct Hello: Message {
    package static let kind = FrameKind.hello
    private static let magic = UInt32(0x544C_4156)

    /// The only version of the protocol so far.
    package static let version: UInt32 = 1

    package var lowestVersion: UInt32
    package var highestVersion: UInt32
    package var features: UInt64
    package var creditBytes: Int
    package var station: Station
    package var parameters: [Parameter]

    package init(
        lowestVersion: UInt32 = version, highestVersion: UInt32 = version, features: UInt64 = 0,
        creditBytes: Int, station: Station, parameters: [Parameter] = []
    ) {
        self.lowestVersion = lowestVersion
        self.highestVersion = highestVersion
        self.features = features
        self.creditBytes = creditBytes
        self.station = station
        self.parameters = parameters
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeInteger(Self.magic, endianness: .little)
        payload.writeVarint(UInt64(lowestVersion))
        payload.writeVarint(UInt64(highestVersion))
        payload.writeVarint(features)
        payload.writeCount(creditBytes)
        payload.writeFixed64(station.id.high)
        payload.writeFixed64(station.id.low)
        payload.writeText(station.name)
        payload.writeList(parameters)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        guard try payload.fixed32() == Self.magic else {
            throw PayloadReader.malformed("not a Valet client")
        }
        lowestVersion = try payload.uint32()
        highestVersion = try payload.uint32()
        guard lowestVersion <= highestVersion else {
            throw PayloadReader.malformed("versions \(lowestVersion) to \(highestVersion)")
        }
        features = try payload.varint()
        creditBytes = try payload.count("credit bytes", atMost: Limits.creditBytes)
        let id = StationID(high: try payload.fixed64(), low: try payload.fixed64())
        station = Station(name: try payload.name("station name"), id: id)
        parameters = try payload.parameters(known: [Parameter.token])
    }

    package init(creditBytes: Int, station: Station, token: [UInt8]?) {
        let parameters = token.map { [Parameter(key: Parameter.token, value: $0)] } ?? []
        self.init(creditBytes: creditBytes, station: station, parameters: parameters)
    }

    /// What the client proves with whom it acts for; nil if it shows none.
    package var token: [UInt8]? { parameters.last { $0.key == Parameter.token }?.value }
}
