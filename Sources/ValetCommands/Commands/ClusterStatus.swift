import ValetCluster
import ValetModel
import ValetServer

/// What `valetd cluster status` tells: a record for the log, for the file, and for each node.
struct ClusterStatus {
    let survey: ClusterOperator.Survey
    let file: String
    /// How far the file has taken the log in.
    let place: UInt64

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
            let share = Double(ends.bytes) / Double(max(ends.mostBytes, 1)) * 100
            let percent = Int(min(share, 100))
            return "\(ends.wholeCopies) of \(ends.copies) copies whole, \(percent) % of its room"
        case .missing: return "missing"
        case .failed: return "its servers don't answer"
        }
    }

    /// Why no new log is begun with the file; nil if the old one has lost what the file has.
    ///
    /// - Parameter force: also if it has not.
    func whyNotToRecover(force: Bool) -> String? {
        if let node = survey.nodes.first(where: { $0.role != .outOfService }) {
            return "“\(node.name)” is in service: stop the nodes first"
        }
        let reason: String
        switch survey.log {
        case .missing: return nil
        case .ends(let ends) where ends.last < place: return nil
        case .ends: reason = "the old log has all that this file has"
        case .failed: reason = "the servers don't say how the old log is"
        }
        return force ? nil : reason + "; --force begins a new one all the same"
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
