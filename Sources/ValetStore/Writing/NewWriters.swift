import ValetModel

/// The writers that this process has made, each for its station. A file knows them from their first
/// command on.
final class NewWriters {
    private var stations: [WriterID: StationID] = [:]

    func make(
        for station: StationID, at microseconds: Int64,
        random: (UInt16, UInt64) = (.random(in: 0 ... .max), .random(in: 0 ... .max))
    ) -> WriterID {
        let writer = WriterID(at: microseconds, random: random)
        // Those that are dropped here are taken as long as they are young.
        if stations.count == Limits.writersMade { stations.removeAll() }
        stations[writer] = station
        return writer
    }

    func station(of writer: WriterID) -> StationID? { stations[writer] }

    /// It has sent commands, and nothing of it is kept in the file any more.
    func forget(_ writer: WriterID) { stations[writer] = nil }
}
