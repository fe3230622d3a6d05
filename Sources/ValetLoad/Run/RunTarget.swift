import Foundation
import ValetClient
import ValetModel

/// What a run is aimed at: a server that runs, or a file for which one is started.
enum RunTarget: Equatable {
    case server(RunAddress, list: String?)
    case file(String)

    /// nil for an address that is none.
    init?(_ text: String) {
        guard let scheme = text.firstRange(of: "://") else {
            self = .file(text)
            return
        }
        guard text[..<scheme.lowerBound] == "valet", let parts = URLComponents(string: text),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.query == nil,
            parts.fragment == nil
        else { return nil }
        let port = parts.port ?? ValetConnection.standardPort
        guard (1...65_535).contains(port) else { return nil }
        let list = parts.path.dropFirst()
        let plainHost = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self = .server(
            RunAddress(host: plainHost, port: port), list: list.isEmpty ? nil : String(list))
    }
}
