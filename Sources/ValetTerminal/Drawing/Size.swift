/// A screen's size in cells.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Sizes come from outside (an ioctl, a flag): they are brought into `1...Size.largest`.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), Size.largest)
        self.rows = min(max(rows, 1), Size.largest)
    }

    /// Cells in either direction: bounds the memory of a screen.
    package static let largest = 1_024
    package static let standard = Size(columns: 80, rows: 24)
}

/// A cell's place, from 0 at the top left.
package struct Position: Hashable, Sendable {
    package var row: Int
    package var column: Int
}
