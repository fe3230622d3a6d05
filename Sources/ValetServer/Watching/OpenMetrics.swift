import ValetModel

/// Writes readings as text for Prometheus and its like
/// (https://prometheus.io/docs/specs/om/open_metrics_spec/).
struct OpenMetrics {
    static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// Upper bounds of the buckets of times, in microseconds.
    static let bounds: [UInt64] = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
        5_000_000,
    ]

    private var text = ""

    static func text(of readings: ServerReadings) -> String {
        var metrics = OpenMetrics()
        for entry in readings.statistics.entries {
            guard let name = ServerStatistics.Name(rawValue: entry.name),
                let metric = Metric.of(name)
            else { continue }
            metrics.add(metric, entry.value)
        }
        metrics.addRequests(readings.requests)
        metrics.addTimes(
            "valet_commit_seconds", "Transactions, until they were durable.",
            [("", readings.commits)])
        return metrics.text + "# EOF\n"
    }

    private mutating func add(_ metric: Metric, _ value: Int) {
        describe(metric.name, metric.isCounter ? "counter" : "gauge", metric.help)
        text += "\(metric.name)\(metric.isCounter ? "_total" : "") \(value)\n"
    }

    private mutating func describe(_ name: String, _ type: String, _ help: String) {
        text += "# TYPE \(name) \(type)\n# HELP \(name) \(help)\n"
    }

    private mutating func addRequests(_ meter: LoopMeter) {
        describe("valet_errors", "counter", "Errors that were sent, by their names.")
        for (code, count) in meter.errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text += "valet_errors_total{code=\"\(code.name)\"} \(count)\n"
        }
        addTimes(
            "valet_request_seconds", "Requests, from their arrival to their answer.",
            RequestKind.allCases.map {
                ("kind=\"\($0.rawValue)\"", meter.requests[$0] ?? RequestTimes())
            })
    }

    private mutating func addTimes(
        _ name: String, _ help: String, _ all: [(label: String, times: RequestTimes)]
    ) {
        describe(name, "histogram", help)
        for (label, times) in all {
            let labels = label.isEmpty ? "" : label + ","
            for (bound, count) in zip(Self.bounds, times.counts(upTo: Self.bounds)) {
                text += "\(name)_bucket{\(labels)le=\"\(Self.seconds(bound))\"} \(count)\n"
            }
            let braces = label.isEmpty ? "" : "{\(label)}"
            text += "\(name)_bucket{\(labels)le=\"+Inf\"} \(times.count)\n"
            text += "\(name)_count\(braces) \(times.count)\n"
            text += "\(name)_sum\(braces) \(Double(times.nanoseconds) / 1e9)\n"
        }
    }

    private static func seconds(_ microseconds: UInt64) -> String {
        "\(Double(microseconds) / 1e6)"
    }
}

/// How a statistic is called in OpenMetrics text.
struct Metric {
    let name: String
    let isCounter: Bool
    let help: String

    private static func gauge(_ name: String, _ help: String) -> Metric {
        Metric(name: "valet_" + name, isCounter: false, help: help)
    }

    private static func counter(_ name: String, _ help: String) -> Metric {
        Metric(name: "valet_" + name, isCounter: true, help: help)
    }

    /// nil for one that histograms say.
    static func of(_ name: ServerStatistics.Name) -> Metric? {
        switch name {
        case .uptimeSeconds: .gauge("uptime_seconds", "Since the start.")
        case .residentBytes: .gauge("resident_bytes", "Memory of the process.")
        case .peakResidentBytes: .gauge("peak_resident_bytes", "The most it ever was.")
        case .connections: .gauge("connections", "Clients that are connected.")
        case .mostConnections: .gauge("most_connections", "The most that ever were.")
        case .connectionLimit: .gauge("connection_limit", "Clients that are let in.")
        case .connectionsAdmitted: .counter("connections_admitted", "Connections let in.")
        case .connectionsRefused: .counter("connections_refused", "Refused: there were too many.")
        case .attemptsFailed:
            .counter("attempts_failed", "Hellos without a known token, clients without TLS.")
        case .views: .gauge("views", "Open views of all clients.")
        case .unreadBytes: .gauge("unread_bytes", "Written, and not read by clients.")
        case .lists: .gauge("lists", "Of the catalog.")
        case .listsReadIn: .gauge("lists_read_in", "Whose columns are in memory.")
        case .rowsReadIn: .gauge("rows_read_in", "Rows of lists in memory.")
        case .columnBytes: .gauge("column_bytes", "About what columns take.")
        case .orders: .gauge("orders", "Arrangements of whole lists.")
        case .orderBytes: .gauge("order_bytes", "About what these take.")
        case .searches: .gauge("searches", "Arrangements of what was searched.")
        case .searchBytes: .gauge("search_bytes", "About what these take.")
        case .idleArrangements: .gauge("idle_arrangements", "Kept, and shown by nobody.")
        case .idleBytes: .gauge("idle_bytes", "About what these take.")
        case .idleBudgetBytes: .gauge("idle_budget_bytes", "What these may take.")
        case .memoryBytes: .gauge("list_bytes", "About what all lists take.")
        case .memoryBudgetBytes: .gauge("list_budget_bytes", "What they may take.")
        case .searchesRun: .counter("searches_run", "Searches begun.")
        case .searchesCancelled: .counter("searches_cancelled", "Left by all before the end.")
        case .buildsWaiting: .gauge("builds_waiting", "Arrangements waited for.")
        case .pagesKept: .gauge("pages_kept", "Encoded pages kept.")
        case .pageBytes: .gauge("page_bytes", "What these take.")
        case .pageBudgetBytes: .gauge("page_budget_bytes", "What these may take.")
        case .pagesRead: .counter("pages_read", "Pages read from SQLite.")
        case .readsWaiting: .gauge("reads_waiting", "Pages and rows to be read.")
        case .commands: .counter("commands", "Carried out or refused.")
        case .commandsWaiting: .gauge("commands_waiting", "Commands in the queue.")
        case .logBytes: .gauge("wal_bytes", "Of SQLite's write-ahead log.")
        case .backupsMade: .counter("backups_made", "Backups made.")
        case .backupsFailed: .counter("backups_failed", "Backups that failed.")
        case .lastBackupSeconds: .gauge("last_backup_seconds", "Since the last backup.")
        case .nodeLeads: .gauge("node_leads", "1 at the node that leads its cluster.")
        case .nodeOutOfService: .gauge("node_out_of_service", "1 at a node that has left it.")
        case .nodesInService: .gauge("nodes_in_service", "Nodes that this one hears, and itself.")
        case .clusterEpoch: .gauge("cluster_epoch", "Counts leaderships.")
        case .clusterPlace: .gauge("cluster_place", "How far the file has the cluster's log.")
        case .clusterLag: .gauge("cluster_lag", "How much of it the file does not have yet.")
        case .lastElectionSeconds: .gauge("last_election_seconds", "Since another node led.")
        case .clusterLogBytes: .gauge("cluster_log_bytes", "Of the cluster's log.")
        case .clusterLogRoomBytes: .gauge("cluster_log_room_bytes", "What these may be.")
        case .requestsAnswered, .errorsAnswered, .windowMicroseconds, .slowWindowMicroseconds,
            .commits, .slowCommitMicroseconds:
            nil
        }
    }
}
