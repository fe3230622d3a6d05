/// The frame of a page that stands alone: nothing is fetched, so it can be read anywhere.
enum HTML {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // Control characters of a database must not reach the page.
            case _ where character.value < 0x20 || (0x7F..<0xA0).contains(character.value):
                escaped += "\u{FFFD}"
            case _: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    static func page(title: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(escaped(title))</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    private static let style = """
        :root {
          --paper: #fbfbfa; --card: #ffffff; --ink: #1c2024; --dim: #697077; --rule: #e4e6e8;
          --first: #1f6fb4; --second: #c2571a; --good: #1c7c4a; --bad: #c0262d;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171a; --card: #1b1f23; --ink: #e8eaec; --dim: #98a1a9; --rule: #2c3238;
            --first: #6cb2f2; --second: #f2a168; --good: #5cc48c; --bad: #f2777a;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 32px 20px 48px; max-width: 1180px;
          background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
        }
        h1 { font-size: 24px; line-height: 1.25; margin: 0; }
        h2 { font-size: 15px; margin: 0 0 8px; }
        p.sub { color: var(--dim); margin: 4px 0 24px; }
        .tiles, .charts { display: grid; gap: 14px; }
        .tiles { grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); }
        .charts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); }
        .card {
          background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
          padding: 14px 16px;
        }
        .tiles + *, .charts + *, body > .card + .card { margin-top: 14px; }
        .tile b { display: block; font-size: 22px; line-height: 1.3; }
        .tile span, .legend, .notes { color: var(--dim); font-size: 13px; }
        .tile.good b { color: var(--good); } .tile.bad b { color: var(--bad); }
        .legend { float: right; }
        .legend i {
          display: inline-block; width: 14px; height: 3px; margin: 0 5px 3px 14px;
          border-radius: 2px; vertical-align: middle;
        }
        i.first { background: var(--first); } i.second { background: var(--second); }
        svg { display: block; width: 100%; height: auto; }
        svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
        text.axis { fill: var(--dim); } text.strong { fill: var(--ink); }
        text.end { text-anchor: end; } text.middle { text-anchor: middle; }
        line.grid { stroke: var(--rule); }
        line.mark { stroke: var(--second); stroke-dasharray: 3 3; }
        path.line {
          fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round;
        }
        path.line.first { stroke: var(--first); } path.line.second { stroke: var(--second); }
        path.area { stroke: none; fill-opacity: 0.14; } path.area.first { fill: var(--first); }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th { color: var(--dim); font-weight: 500; font-size: 13px; }
        th, td {
          text-align: right; white-space: nowrap; padding: 5px 8px;
          border-top: 1px solid var(--rule);
        }
        thead th { border-top: 0; }
        th:first-child, td:first-child { text-align: left; padding-left: 0; }
        td.text { text-align: left; overflow-wrap: anywhere; white-space: normal; }
        th:last-child, td:last-child { padding-right: 0; }
        """
}
