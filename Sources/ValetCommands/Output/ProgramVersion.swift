import CBuild
import ValetServer

/// What `--version` prints.
enum ProgramVersion {
    static let text = text(commit: String(cString: valet_commit))

    /// - Parameter commit: that the program was built from; empty if the build was not told.
    static func text(commit: String) -> String {
        let build = commit.isEmpty ? "development build" : "build \(commit)"
        return "\(ValetServer.version) (protocol \(ValetServer.protocolVersion), \(build))"
    }
}
