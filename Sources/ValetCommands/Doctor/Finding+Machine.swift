import Foundation
import ValetServer
import ValetStore
import ValetTerminal

/// What every target needs.
extension Finding {
    static func ofMachine(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [Finding] {
        let versions = Finding(
            check: "versions",
            found: "valet \(ProgramVersion.text), SQLite \(Connection.libraryVersion), "
                + "LZ4 \(ValetServer.compressionVersion)")
        let folders = [
            folder(.cache, "CSV files that were looked at", environment),
            folder(.state, "this station's identity", environment),
        ]
        do {
            let settings = try Settings(environment: environment)
            let size = TerminalDevice.size(of: STDOUT_FILENO)
            return [versions, terminal(settings, size), configuration(environment)] + folders
        } catch {
            // The terminal depends on what can't be read.
            let wrong = Finding(
                check: "config", state: .wrong, found: "\(error)",
                advice: "correct that first, then check again")
            return [versions, wrong] + folders
        }
    }

    /// - Parameter size: nil if there is no terminal to measure.
    static func terminal(_ settings: Settings, _ size: Size?) -> Finding {
        let kind = settings.terminal ?? ""
        let renderer = DiffRenderer(
            hasColors: settings.hasColors, term: kind, colorTerm: settings.colorTerminal)
        let colors =
            switch renderer.tints {
            case _ where !renderer.hasColors: "no colours"
            case .none: "6 colours"
            case .palette: "256 colours"
            case .direct: "all colours"
            }
        let found = [
            kind.isEmpty ? "TERM is not set" : kind,
            size.map { "\($0.columns)x\($0.rows)" } ?? "standard output is no terminal", colors,
            settings.isASCII ? "ASCII" : "UTF-8", settings.hasMouse ? "mouse" : "no mouse",
        ]
        var finding = Finding(check: "terminal", found: found.joined(separator: ", "))
        if kind.isEmpty || kind == "dumb" {
            finding.state = size == nil ? .note : .wrong
            finding.advice = "set TERM for the full screen, such as TERM=xterm-256color"
        } else if settings.isASCII {
            finding.state = .note
            finding.advice = "a locale such as LANG=C.UTF-8, or VALET_ASCII=0, allows other signs"
        }
        return finding
    }

    private static func configuration(_ environment: [String: String]) -> Finding {
        let file = Settings.file(in: environment)
        let isThere = FileManager.default.fileExists(atPath: file)
        return Finding(check: "config", found: isThere ? file : "there is no \(file)")
    }

    /// Looks at what is there, and makes nothing.
    static func folder(
        _ folder: UserFolder, _ contents: String, _ environment: [String: String]
    ) -> Finding {
        let path = folder.path(in: environment)
        var nearest = URL(filePath: path)
        while nearest.path != "/", !FileManager.default.fileExists(atPath: nearest.path) {
            nearest.deleteLastPathComponent()
        }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: nearest.path, isDirectory: &isFolder)
        let name = folder == .cache ? "cache" : "state"
        guard isFolder.boolValue, access(nearest.path, W_OK | X_OK) == 0 else {
            return Finding(
                check: name, state: .wrong, found: "\(path) can't be written (for \(contents))",
                advice: "set \(folder.rawValue) to a folder that can be written")
        }
        return Finding(check: name, found: path)
    }
}
