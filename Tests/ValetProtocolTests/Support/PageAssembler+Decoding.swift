import ValetModel
import ValetProtocol

extension PageAssembler {
    /// The page as a client that shows it reads it, when `frame` completes it.
    mutating func addDecoding(_ frame: PageFrame) throws(ValetError) -> DecodedPage? {
        guard let raw = try add(frame) else { return nil }
        return try DecodedPage(raw)
    }
}
