import NIOCore
import ValetModel
import ValetProtocol

/// What a connection sends without end.
enum Flood: Sendable, CaseIterable {
    /// The next search as soon as the last is answered.
    case searches
    /// Searches of the greatest length, which take long to fold. None waits for an answer.
    case longSearches
    /// Section indexes of as many titles as there may be.
    case indexes
    case catalogs
    /// A frame of the greatest length without its last byte.
    case unfinishedFrame

    /// The ten connections of a run.
    static let connections: [Flood] =
        Array(repeating: .searches, count: 5)
        + [.longSearches, .longSearches, .indexes, .catalogs, .unfinishedFrame]
}

/// The frames of one flooding connection.
struct FloodFrames {
    let flood: Flood
    private let list: ListDescription
    private var numbers: SeededNumbers
    private var request: UInt32 = 1
    /// The same frames each time, where they may be.
    private var burst = ByteBuffer()

    private static let stream: UInt16 = 1
    private static let framesPerBurst = 16
    private static let syllables = (first: 0xAC00, count: 11_172)
    /// Syllables take three bytes each.
    private static let longText = String(repeating: "각", count: Limits.bytesPerSearch / 3 - 2)

    init(_ flood: Flood, list: ListDescription, seed: UInt64, number: Int) {
        self.flood = flood
        self.list = list
        numbers = SeededNumbers(seed: seed ^ 0x666C_6F6F_64, index: number)
        for _ in 0..<Self.framesPerBurst {
            switch flood {
            case .searches, .longSearches, .unfinishedFrame: break
            case .indexes:
                let index = IndexRequest(
                    request: 1, generation: 1, mostTitles: Limits.titlesPerIndex)
                ClientMessage.indexRequest(index).encode(stream: Self.stream, into: &burst)
            case .catalogs:
                let catalog = CatalogRequest(request: 1, countsRows: false)
                ClientMessage.catalogRequest(catalog).encode(stream: 0, into: &burst)
            }
        }
    }

    /// What the connection begins with.
    func greeting(_ station: Station) -> ByteBuffer {
        var bytes = ByteBuffer()
        ClientMessage.hello(Hello(creditBytes: 0, station: station)).encode(stream: 0, into: &bytes)
        switch flood {
        case .searches, .longSearches, .indexes:
            // Sections of whole texts have the longest index.
            let text = list.columns.last { $0.isText }?.name
            let open = OpenView(
                request: 1, generation: 1, list: list.name,
                question: Question(grouping: flood == .indexes ? text : nil))
            ClientMessage.openView(open).encode(stream: Self.stream, into: &bytes)
        case .catalogs: break
        case .unfinishedFrame:
            Frame.write(kind: .ping, stream: 0, into: &bytes) {
                $0.writeRepeatingByte(0, count: Limits.bytesPerClientFrame)
            }
            bytes.moveWriterIndex(to: bytes.writerIndex - 1)
        }
        return bytes
    }

    /// The next frames, and how many they are; nil when nothing follows the greeting.
    mutating func next() -> (bytes: ByteBuffer, count: Int)? {
        switch flood {
        case .searches:
            let letters = (0..<3).map { _ in
                Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(numbers.below(26))))
            }
            return (search(String(letters)), 1)
        case .longSearches: return (search(Self.longText + syllable() + syllable()), 1)
        case .indexes, .catalogs: return (burst, Self.framesPerBurst)
        case .unfinishedFrame: return nil
        }
    }

    private mutating func syllable() -> String {
        let scalar = Self.syllables.first + numbers.below(Self.syllables.count)
        return Unicode.Scalar(UInt32(scalar)).map { String(Character($0)) } ?? ""
    }

    private mutating func search(_ text: String) -> ByteBuffer {
        request &+= 1
        var bytes = ByteBuffer()
        let rearrange = RearrangeView(
            request: request, generation: request,
            question: Question(search: .init(text: text, scope: nil)))
        ClientMessage.rearrangeView(rearrange).encode(stream: Self.stream, into: &bytes)
        return bytes
    }
}
