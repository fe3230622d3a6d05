/// A screen as a picture: SVG text in the reader's monospaced font, light or dark as the reader's
/// system is.
package struct SVGRenderer: Sendable {
    private static let cellWidth = 9
    private static let cellHeight = 20
    private static let baseline = 15
    private static let margin = 12

    private let hasColors: Bool

    package init(hasColors: Bool = true) {
        self.hasColors = hasColors
    }

    package func svg(_ screen: Screen) -> String {
        let width = screen.size.columns * SVGRenderer.cellWidth + 2 * SVGRenderer.margin
        let height = screen.size.rows * SVGRenderer.cellHeight + 2 * SVGRenderer.margin
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
                + #"viewBox="0 0 \#(width) \#(height)">"#,
            "<style>", SVGRenderer.styleSheet, "</style>",
            #"<rect class="ground" width="100%" height="100%" rx="8"/>"#,
        ]
        for row in 0..<screen.size.rows {
            for run in runs(of: screen, row: row) { lines += elements(of: run, row: row) }
        }
        if let cursor = screen.cursor {
            lines.append(rectangle("cursor", row: cursor.row, column: cursor.column, columns: 1))
        }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    private struct Run {
        var column: Int
        var columns: Int
        var text: String
        var style: Style
    }

    /// Neighbouring cells of one style. Clusters that a font may draw at another width than ours
    /// begin and end a run, so that an error doesn't add up.
    private func runs(of screen: Screen, row: Int) -> [Run] {
        var runs: [Run] = []
        var isOpen = false
        for (column, cell) in screen.row(row).enumerated() where cell.width > 0 {
            let isAlone = !cell.character.isASCII
            var style = cell.style
            if !hasColors { (style.foreground, style.tint) = (.standard, nil) }
            if isOpen, !isAlone, let last = runs.indices.last, runs[last].style == style {
                runs[last].columns += 1
                runs[last].text.append(cell.character)
            } else {
                runs.append(
                    Run(
                        column: column, columns: cell.width, text: String(cell.character),
                        style: style))
            }
            isOpen = !isAlone
        }
        return runs
    }

    private func elements(of run: Run, row: Int) -> [String] {
        let isReverse = run.style.attributes.contains(.reverse)
        let isBlank = run.text.allSatisfy { $0 == " " }
        let hasLine = !run.style.attributes.isDisjoint(with: [.underline, .strikethrough])
        func ground(_ name: String = "", fill: Tint? = nil) -> String {
            rectangle(name, fill: fill, row: row, column: run.column, columns: run.columns)
        }
        var elements: [String] = []
        if run.style.attributes.contains(.shaded), !isReverse { elements.append(ground("row")) }
        if isReverse { elements.append(ground("b\(run.style.foreground.rawValue)")) }
        if !isBlank || hasLine {
            let x = SVGRenderer.margin + run.column * SVGRenderer.cellWidth
            let y = SVGRenderer.margin + row * SVGRenderer.cellHeight + SVGRenderer.baseline
            let length = run.columns * SVGRenderer.cellWidth
            elements.append(
                #"<text x="\#(x)" y="\#(y)" class="\#(classes(run.style))""#
                    + #"\#(fill(run.style.tint)) textLength="\#(length)" xml:space="preserve">"#
                    + "\(escaped(run.text))</text>")
        }
        return elements
    }

    /// Beside the class: a rule of the style sheet would win over an attribute.
    private func fill(_ tint: Tint?) -> String {
        tint.map { #" style="fill: \#($0.hexadecimal)""# } ?? ""
    }

    private func rectangle(
        _ name: String = "", fill: Tint? = nil, row: Int, column: Int, columns: Int
    ) -> String {
        let x = SVGRenderer.margin + column * SVGRenderer.cellWidth
        let y = SVGRenderer.margin + row * SVGRenderer.cellHeight
        return #"<rect class="\#(name)"\#(self.fill(fill)) x="\#(x)" y="\#(y)" "#
            + #"width="\#(columns * SVGRenderer.cellWidth)" height="\#(SVGRenderer.cellHeight)"/>"#
    }

    private func classes(_ style: Style) -> String {
        let names: [(Style.Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.underline, "under"), (.strikethrough, "struck"),
            (.reverse, "turned"),
        ]
        let attributes = names.filter { style.attributes.contains($0.0) }.map(\.1)
        return (["f\(style.foreground.rawValue)"] + attributes).joined(separator: " ")
    }

    private func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// By `Color.rawValue`; the ground is the screen behind all text.
    private static let light = (
        ground: "#ffffff",
        colors: [
            9: "#1f2328", 1: "#b3261e", 2: "#1a7f37", 3: "#8a6100", 4: "#0b57d0", 5: "#8430a3",
            6: "#0f766e",
        ]
    )
    private static let dark = (
        ground: "#16191d",
        colors: [
            9: "#e6e9ed", 1: "#ff8a80", 2: "#7ee08a", 3: "#f2cc60", 4: "#8ab4ff", 5: "#e0a3ff",
            6: "#6fe0d2",
        ]
    )

    /// Rules without `var()`, which drawing programs other than browsers do not know.
    private static func rules(_ palette: (ground: String, colors: [Int: String])) -> String {
        let colors = palette.colors.sorted { $0.key < $1.key }.map { place, color in
            ".f\(place), .b\(place) { fill: \(color); }"
        }
        return
            (colors + [
                ".ground, text.turned { fill: \(palette.ground); }",
                ".cursor { fill: \(palette.colors[9] ?? palette.ground); }",
            ]).joined(separator: "\n")
    }

    private static let styleSheet = """
        text { font: 15px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        .cursor { opacity: 0.35; } .row { fill: #808080; opacity: 0.18; }
        .bold { font-weight: bold; } .dim { opacity: 0.6; }
        .under { text-decoration: underline; } .struck { text-decoration: line-through; }
        \(rules(light))
        @media (prefers-color-scheme: dark) {
        \(rules(dark))
        }
        """
}
