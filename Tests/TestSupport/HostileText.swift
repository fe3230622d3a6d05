/// Texts that would do harm if they were taken for something else than text.
package enum HostileText {
    /// For SQL.
    package static let sql = [
        "'; DROP TABLE cars; --", "'; DELETE FROM things; --", "' OR 1=1 --",
        "\" UNION SELECT 1 /*", "?1 :a @b $c", "\\'", "%'_",
    ]

    /// For events of a log, each of which names itself as forged, or for what a terminal obeys that
    /// shows the log.
    package static let events = [
        "x\n2026-01-01T00:00:00Z info forged", "x\r\n2026-01-01T00:00:00Z error forged peer=1",
        "\n{\"time\": \"x\", \"level\": \"info\", \"message\": \"forged\"}\n",
        "\", \"message\": \"forged\", \"x\": \"", "forged\" level=error x=\"\\",
        "forged\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}2J\u{90}x\u{9C}\u{7F}\u{8}",
        "forged\u{2028}x\u{2029}x\u{85}x\u{B}x\u{C}", "forged \u{202E}x\u{2066}x\u{200F}x\u{61C}",
        "forged=1 level=error message=forged", "\\n forged \\u000a",
    ]
}
