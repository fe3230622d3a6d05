import Foundation
import ValetModel

/// A report's place on the disk.
enum ReportFile {
    /// - Throws: `.storageFailed` when a file can't be written there.
    static func check(_ path: String) throws(ValetError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        {
            throw ValetError(.storageFailed, "“\(path)” is a folder: name a file in it")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw ValetError(.storageFailed, "can't write to the folder “\(folder)”")
        }
    }

    static func write(_ text: String, to path: String) throws(ValetError) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw ValetError(.storageFailed, "can't write “\(path)”: \(error.localizedDescription)")
        }
    }
}
