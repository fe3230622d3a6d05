import ValetModel

@testable import ValetClient

extension ValetView {
    /// All rows of a small view.
    func allRows() async throws(ValetError) -> [Row] {
        try await window(at: .ordinal(0), rows: 1_024).rows.compactMap(\.self)
    }
}
