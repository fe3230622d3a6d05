import Foundation

/// A person's own folders, where the XDG Base Directory Specification has them
/// (https://specifications.freedesktop.org/basedir-spec/latest/).
enum UserFolder: String, CaseIterable {
    case config = "XDG_CONFIG_HOME"
    case cache = "XDG_CACHE_HOME"
    case state = "XDG_STATE_HOME"

    private var standard: String {
        switch self {
        case .config: ".config"
        case .cache: ".cache"
        case .state: ".local/state"
        }
    }

    /// The path of Valet's part of it, which may not exist. A relative path counts as none.
    func path(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let chosen = environment[rawValue].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder =
            chosen ?? (environment["HOME"] ?? FileManager.default.temporaryDirectory.path) + "/"
            + standard
        return folder + "/valet"
    }
}
