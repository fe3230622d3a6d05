import Testing
import ValetModel

/// What a test did not expect to meet.
package struct Unexpected: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The error that `body` throws.
package func failure(_ body: () throws -> some Any) -> ValetError? {
    do {
        _ = try body()
        return nil
    } catch {
        return valetError(error)
    }
}

package func failure(_ body: () async throws -> some Any) async -> ValetError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return valetError(error)
    }
}

private func valetError(_ error: any Error) -> ValetError? {
    let known = error as? ValetError
    if known == nil { Issue.record(error) }
    return known
}
