import Foundation

/// The repository that this file stands in.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every file under Sources, Tests, Scripts, Proto and .ci that is UTF-8, and the manifest.
    static let files: [SourceFile] = {
        let folders = ["Sources", "Tests", "Scripts", "Proto", ".ci"]
        let paths = folders.flatMap(paths(under:)) + ["Package.swift", "README.md"]
        return paths.compactMap { path in
            guard let data = FileManager.default.contents(atPath: root.path + "/" + path) else {
                return nil
            }
            return String(validating: data, as: UTF8.self).map { SourceFile(path: path, text: $0) }
        }
    }()

    static var swiftFiles: [SourceFile] { files.filter(\.isSwift) }

    /// Names at the top, without those that .gitignore names as what a build leaves.
    static func topLevel() throws -> [String] {
        let ignored = try String(contentsOf: root.appending(path: ".gitignore"), encoding: .utf8)
        let patterns = ignored.split(separator: "\n").map { $0.trimmingPrefix("*") }
        return try FileManager.default.contentsOfDirectory(atPath: root.path)
            .filter { name in !patterns.contains { name.hasSuffix($0) } }
    }

    private static func paths(under folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (found?.compactMap { $0 as? String } ?? [])
            .filter {
                !$0.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__pycache__" }
            }
            .sorted().map { folder + "/" + $0 }
    }
}
