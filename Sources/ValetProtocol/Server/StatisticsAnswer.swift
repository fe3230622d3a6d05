import NIOCore
import ValetModel

/// The server's statistics: numbers by name.
///
/// ```
/// varint                request
/// list (text, varint)   name and value, each name once
/// ```
package struct StatisticsAnswer: Message {
    package static let kind = FrameKind.statisticsAnswer

    package var request: UInt32
    package var statistics: ServerStatistics

    package init(request: UInt32, statistics: ServerStatistics) {
        self.request = request
        self.statistics = statistics
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeList(statistics.entries) {
            $0.writeText($1.name)
            $0.writeCount($1.value)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        let entries = try payload.list(of: "statistics", limit: Limits.statistics) {
            payload throws(ValetError) in
            ServerStatistics.Entry(name: try payload.name("statistic"), value: try payload.count())
        }
        guard Set(entries.map(\.name)).count == entries.count else {
            throw PayloadReader.malformed("a statistic twice")
        }
        statistics = ServerStatistics(entries: entries)
    }
}
