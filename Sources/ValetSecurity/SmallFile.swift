import Foundation
import ValetModel

/// Reads the files that certificates, keys, tokens and the like are in.
enum SmallFile {
    /// - Parameter isSecret: whether others must not be able to read it.
    /// - Throws: `ValetError`, with the file's name.
    static func read(
        _ path: String, isSecret: Bool = false, limit: Int = Limits.bytesPerPEMFile
    ) throws(ValetError) -> [UInt8] {
        let bytes: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            if isSecret { try requireSecret(path, file.fileDescriptor) }
            bytes = try file.read(upToCount: limit + 1) ?? Data()
        } catch let error as ValetError {
            throw error
        } catch {
            throw ValetError(.notAllowed, "“\(path)” can't be read: \(reason(error))")
        }
        guard bytes.count <= limit else {
            throw .limit("bytes of “\(path)”", is: limit, asked: bytes.count)
        }
        return Array(bytes)
    }

    /// Others may not read it, but a group may if it is root's: so packages give it to a service.
    private static func requireSecret(_ path: String, _ descriptor: CInt) throws(ValetError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let allowed: mode_t = status.st_uid == 0 ? 0o740 : 0o700
        guard status.st_mode & 0o777 & ~allowed == 0 else {
            throw ValetError(
                .notAllowed,
                "others can read the secret in “\(path)”: chmod 600 it, or make a new one")
        }
    }

    private static func reason(_ error: any Error) -> String {
        let cocoa = error as NSError
        let underlying = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError ?? cocoa
        return underlying.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(CInt(underlying.code))) : cocoa.localizedDescription
    }
}
