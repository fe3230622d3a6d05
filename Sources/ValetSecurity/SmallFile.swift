import Foundation
import ValetModel

/// Reads the files that certificates, keys, tokens and the like are in.
enum SmallFile {
    /// - Parameter isSecret: whether others must not be able to read it.
    /// - Throws: `ValetError`, with the file's name.
    static func read(
        _ path: String, isSecret: Bool = false, limit: Int = Limits.bytesPerPEMFile
    ) throws(ValetError) -> [UInt8] {
        let (bytes, isOpenToOthers, isWritableByAll): ([UInt8], Bool, Bool)
        do throws(SystemError) {
            let file = try OpenFile(path)
            isWritableByAll = file.isWritableByAll
            isOpenToOthers = isSecret && Self.isOpenToOthers(file.descriptor)
            bytes = try file.read(upTo: limit + 1)
        } catch {
            throw ValetError(.notAllowed, "“\(path)” can't be read: \(error)")
        }
        guard !isOpenToOthers else {
            throw ValetError(
                .notAllowed,
                "others can read the secret in “\(path)”: chmod 600 it, or make a new one")
        }
        guard !isWritableByAll else { throw .changedByAnybody(path) }
        guard bytes.count <= limit else {
            throw .limit("bytes of “\(path)”", is: limit, asked: bytes.count)
        }
        return bytes
    }

    /// Others may not read a secret, but a group may if the file is root's: so packages give it to
    /// a service.
    private static func isOpenToOthers(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let allowed: mode_t = status.st_uid == 0 ? 0o740 : 0o700
        return status.st_mode & 0o777 & ~allowed != 0
    }
}

extension ValetError {
    /// A file that says whom to trust, or what they may do, is no use if anybody can change it.
    package static func changedByAnybody(_ path: String) -> ValetError {
        ValetError(
            .notAllowed,
            "everybody on this computer can change “\(path)”, so it proves nothing: chmod o-w it")
    }
}
