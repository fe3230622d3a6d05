import NIOCore
import ValetModel

/// Reports a failed request, or a failed connection when the request is 0.
///
/// ```
/// varint      request, or 0
/// varint      code
/// text        message, for a person
/// list text   names that would have been right
/// varint      milliseconds until the same may be asked again, or 0
/// ```
package struct ErrorAnswer: Message {
    package static let kind = FrameKind.error

    package var request: UInt32
    package var error: ValetError

    package init(request: UInt32, error: ValetError) {
        self.request = request
        self.error = error
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(error.code.rawValue))
        payload.writeText(error.message.cut(toBytes: Limits.bytesPerMessage))
        payload.writeList(Array(error.alternatives.prefix(Limits.alternativesPerError))) {
            $0.writeText($1.cut(toBytes: Limits.bytesPerName))
        }
        let wait = min(error.retryAfter ?? .zero, .seconds(Limits.secondsToRetryAfter))
        payload.writeVarint(wait > .zero ? UInt64((wait / .milliseconds(1)).rounded(.up)) : 0)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        let code = ErrorCode(reading: try payload.varint())
        let message = try payload.text("message", limit: Limits.bytesPerMessage)
        let alternatives = try payload.list(
            of: "alternatives", limit: Limits.alternativesPerError
        ) { payload throws(ValetError) in try payload.name("alternative") }
        let wait = min(try payload.varint(), UInt64(Limits.secondsToRetryAfter) * 1_000)
        error = ValetError(
            code, message, alternatives: alternatives,
            retryAfter: wait > 0 ? .milliseconds(Int64(wait)) : nil)
    }
}

extension ErrorCode {
    /// An unknown code from a newer server still has a readable message.
    init(reading code: UInt64) {
        self = UInt16(exactly: code).flatMap(ErrorCode.init(rawValue:)) ?? .unexpected
    }
}
