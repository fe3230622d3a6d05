import ValetCluster
import ValetModel
import ValetServer

/// What `valetd cluster status` tells: a record for the log, for the file, and for each node.
struct ClusterStatus {
    let survey: ClusterOperator.Survey
    let file: String
    /// How far the file has taken the log in.
    let place: UInt64

    init(_ survey: ClusterOperator.Survey, file: String, place: UInt64) {
        (self.survey, self.file, self.place) = (survey, file, place)
    }

    var records: [OutputRecord] {
        var records = [
            record("log", "", log, place: last),
            record("file", file, "", place: place),
        ]
        let catalog = survey.leader?.catalog
        for node in survey.nodes {
            let differs = catalog.map { $0 != node.catalog } ?? false
            let state = node.state + (differs ? ", another catalog than the leader's" : "")
            records.append(
                record(
                    "node", node.name, state, place: node.place, epoch: node.epoch,
                    version: node.version))
        }
        return records
    }

    private func record(
        _ kind: String, _ name: String, _ state: String, place: UInt64?, epoch: UInt64? = nil,
        version: String? = nil
    ) -> OutputRecord {
        func number(_ number: UInt64?) -> OutputValue {
            number.map { .integer(Int(clamping: $0)) } ?? .null
        }
        let behind = last.flatMap { last in place.map { last > $0 ? last - $0 : 0 } }
        return [
            ("kind", .text(kind)), ("name", .text(name)), ("state", .text(state)),
            ("place", number(place)), ("behind", number(kind == "log" ? nil : behind)),
            ("epoch", number(epoch)), ("version", version.map { .text($0) } ?? .null),
        ]
    }

    private var last: UInt64? { survey.log.ends?.last }

    private var log: String {
        switch survey.log {
        case .ends(let ends):
            let share = ends.mostBytes > 0 ? ends.bytes * 100 / ends.mostBytes : 0
            return "\(ends.wholeCopies) of \(ends.copies) copies whole, \(share) % of its room"
        case .missing: return "missing"
        case .failed: return "its servers don't answer"
        }
    }

    /// nil if the cluster works.
    var trouble: String? {
        switch survey.log {
        case .missing:
            return "the servers have no such log: see `valetd cluster recover --help`"
        case .ends(let ends) where ends.last < place:
            return "the log ends before what the file has: see `valetd cluster recover --help`"
        case .ends, .failed: break
        }
        return survey.leader == nil ? "no node says that it leads" : nil
    }
}

extension NodeReport {
    fileprivate var state: String {
        switch role {
        case .following: "follows"
        case .standing: "asks to lead"
        case .leading: "leads"
        case .outOfService: "out of service: " + reason
        }
    }
}
