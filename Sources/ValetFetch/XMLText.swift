import ValetModel

#if canImport(Darwin)
    import Darwin
    import iconv
#else
    import Glibc
#endif

/// An XML document as UTF-8, whatever its byte order mark or its declaration says that it is in.
struct XMLText {
    let bytes: [UInt8]

    init(of document: [UInt8]) throws(ValetError) {
        let (mark, name) = Self.family(of: document)
        let encoding = name ?? Self.declaredEncoding(of: document) ?? "UTF-8"
        let content = document[mark...]
        bytes =
            encoding == "UTF-8" ? Array(content) : try Self.converted(content, from: encoding)
    }

    /// The encoding that the first bytes tell, and the length of a byte order mark (XML 1.0,
    /// appendix F); nil: ASCII's letters are single bytes.
    private static func family(of document: [UInt8]) -> (mark: Int, name: String?) {
        let families: [(first: [UInt8], mark: Int, name: String)] = [
            ([0, 0, 0xFE, 0xFF], 4, "UTF-32BE"), ([0xFF, 0xFE, 0, 0], 4, "UTF-32LE"),
            ([0, 0, 0, 0x3C], 0, "UTF-32BE"), ([0x3C, 0, 0, 0], 0, "UTF-32LE"),
            ([0xFE, 0xFF], 2, "UTF-16BE"), ([0xFF, 0xFE], 2, "UTF-16LE"),
            ([0, 0x3C], 0, "UTF-16BE"), ([0x3C, 0], 0, "UTF-16LE"),
            ([0xEF, 0xBB, 0xBF], 3, "UTF-8"),
        ]
        let family = families.first { document.starts(with: $0.first) }
        return (family?.mark ?? 0, family?.name)
    }

    /// What the declaration says, in upper case; nil if there is none.
    private static func declaredEncoding(of document: [UInt8]) -> String? {
        guard let end = endOfDeclaration(document[...]) else { return nil }
        let words = String(decoding: document[..<end], as: UTF8.self)
        guard let match = words.firstMatch(of: /\sencoding\s*=\s*["']([A-Za-z0-9._:\-]{1,40})["']/)
        else { return nil }
        return match.output.1.uppercased()
    }

    /// The place behind `?>`; nil if the document begins with no declaration.
    private static func endOfDeclaration(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.starts(with: "<?xml".utf8),
            let next = text.dropFirst(5).first, [0x20, 0x09, 0x0A, 0x0D].contains(next)
        else { return nil }
        let end = text.indices.first { text[$0] == UInt8(ascii: ">") && text[$0 - 1] == 0x3F }
        return end.map { $0 + 1 }
    }

    private static func converted(
        _ text: ArraySlice<UInt8>, from encoding: String
    ) throws(ValetError) -> [UInt8] {
        let converter = iconv_open("UTF-8", encoding)
        // iconv_open returns the number −1 as a pointer.
        guard let converter, Int(bitPattern: converter) != -1 else {
            throw ValetError(.storageFailed, "its encoding \(encoding) is not known")
        }
        defer { iconv_close(converter) }
        var input = text.map { CChar(bitPattern: $0) }
        var piece = [CChar](repeating: 0, count: 64 << 10)
        var output: [UInt8] = []
        let isDone = input.withUnsafeMutableBufferPointer { input in
            var (rest, left) = (input.baseAddress, input.count)
            while left > 0, output.count <= Limits.bytesPerSource {
                let (status, count) = piece.withUnsafeMutableBufferPointer { piece in
                    var (place, room) = (piece.baseAddress, piece.count)
                    let status = iconv(converter, &rest, &left, &place, &room)
                    return (status == .max ? errno : 0, piece.count - room)
                }
                output += piece[..<count].map { UInt8(bitPattern: $0) }
                guard status == 0 || status == E2BIG else { return false }
            }
            return true
        }
        guard isDone else {
            throw ValetError(.storageFailed, "it is not text in \(encoding), which it says it is")
        }
        guard output.count <= Limits.bytesPerSource else { throw .tooLarge }
        return output
    }
}
