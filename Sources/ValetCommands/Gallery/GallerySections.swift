import ValetModel

/// How many sections of how many rows the gallery's list of sections has: `1000x20`.
package struct GallerySections: Equatable, Sendable {
    var sections = 1_000
    var rows = 20

    static let usual = GallerySections()
    private static let mostRows = 1_000_000

    private init() {}

    /// - Parameter text: as behind `demo:`; empty for the usual ones.
    init(_ text: some StringProtocol) throws(CommandFailure) {
        if text.isEmpty { return }
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let range = 1...Self.mostRows
        guard numbers.count == 2, let sections = numbers[0], let rows = numbers[1],
            range ~= sections, range ~= rows, sections * rows <= Self.mostRows
        else {
            throw CommandFailure(
                .usage,
                "“\(text)” is no number of sections and rows: write 1000x20, "
                    + "\(Self.mostRows) rows at most")
        }
        (self.sections, self.rows) = (sections, rows)
    }
}
