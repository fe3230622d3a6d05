import ValetModel
import ValetTerminal

/// Checks totals against the file: a server that hides the same rows from all clients never
/// contradicts itself.
extension RunContext {
    /// Counts in the file what some searches must find. It runs after the measurement, because
    /// reading a whole file would slow the requests down.
    func countSearches() async {
        let searches = ledger.searches(of: list, most: RunPlan.searchesCounted, seed: plan.seed)
        guard let truth, !searches.isEmpty, !Task.isCancelled else { return }
        let name = "\(plan.scenario.rawValue): counting \(searches.count) searches in the file"
        ProgressLine.standardError.begin(name)
        defer { ProgressLine.standardError.end() }
        do throws(ValetError) {
            let counted = try await truth.count(searches, until: .now + plan.countingTime) {
                ProgressLine.standardError.show(
                    "\(name), \($0.grouped) of \(truth.rowCount.grouped) rows")
            }
            guard let counted else {
                return figures.note(
                    "searches were not counted: the file has changed during the run")
            }
            let wrong = zip(searches, counted.counts).compactMap(Self.mismatch)
            figures.add(wrong, at: nil)
            if counted.isWhole {
                figures.update { $0.searchesCounted += searches.count }
            } else {
                figures.note(
                    "searches were counted in \(counted.rowsRead.grouped) of "
                        + "\(truth.rowCount.grouped) rows only")
            }
        } catch {
            figures.add(error, at: 0)
        }
    }

    private static func mismatch(_ search: Viewpoint, _ count: ClosedRange<Int>) -> Mismatch? {
        let sent = search.summary.totalRows
        if count.contains(sent) { return nil }
        let rows =
            sent < count.lowerBound
            ? "has \(count.lowerBound.grouped)" : "has no more than \(count.upperBound.grouped)"
        return Mismatch(
            .search,
            "\(search.what) of \(search.summary.grouping) finds \(sent.grouped) rows, the file "
                + rows)
    }
}
