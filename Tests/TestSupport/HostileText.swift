/// Texts that would do harm if they were taken for SQL.
package enum HostileText {
    package static let sql = [
        "'; DROP TABLE cars; --", "'; DELETE FROM things; --", "' OR 1=1 --",
        "\" UNION SELECT 1 /*", "?1 :a @b $c", "\\'", "%'_",
    ]
}
