import NIOCore
import ValetModel
import ValetProtocol

/// A command on its way from the node that a station is connected to, to the one that leads.
///
/// ```
/// u8        version, 1
/// u64       digest of the catalog's names
/// bool      whether the command was made with that catalog
/// u64 ×2    the station's id, high word first
/// text      the station's name
/// optional  text: whom it acts for
///           the command, as the station has sent it
/// ```
struct ForwardedCommand: Hashable, Sendable {
    var catalog: UInt64
    var isCurrent: Bool
    var station: Station
    /// nil where anybody may come in.
    var principal: String?
    var request: CommandRequest

    private static let version: UInt8 = 1

    init(
        _ request: CommandRequest, from station: Station, actingFor principal: String?,
        catalog: UInt64, isCurrent: Bool
    ) {
        (self.request, self.station, self.principal) = (request, station, principal)
        (self.catalog, self.isCurrent) = (catalog, isCurrent)
    }

    var bytes: [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeByte(Self.version)
        bytes.writeFixed64(catalog)
        bytes.writeBool(isCurrent)
        bytes.writeFixed64(station.id.high)
        bytes.writeFixed64(station.id.low)
        bytes.writeText(station.name)
        bytes.writeOptional(principal) { $0.writeText($1) }
        request.write(into: &bytes)
        return Array(buffer: bytes)
    }

    init(_ bytes: [UInt8]) throws(ValetError) {
        let most = Limits.bytesPerForwardedCommand
        guard bytes.count <= most else {
            throw .limit("bytes per forwarded command", is: most, asked: bytes.count)
        }
        var payload = PayloadReader(ByteBuffer(bytes: bytes))
        guard try payload.byte() == Self.version else { throw NodeQuestion.isUnknown }
        catalog = try payload.fixed64()
        isCurrent = try payload.bool()
        let id = StationID(high: try payload.fixed64(), low: try payload.fixed64())
        station = Station(name: try payload.name("station name"), id: id)
        principal = try payload.optional { payload throws(ValetError) in
            try payload.name("principal")
        }
        request = try CommandRequest(reading: &payload)
        try payload.finish()
    }
}
