/// What the status line says, and what it has said.
struct MessageLog: Hashable, Sendable {
    private struct Message: Hashable {
        var text: String
        var milliseconds: Int
    }

    private static let most = 100

    /// What it says now.
    private(set) var message: String?
    /// Newest last.
    private var messages: [Message] = []

    mutating func say(_ text: String?, at milliseconds: Int) {
        message = text
        guard let text, messages.last?.text != text else { return }
        messages.append(Message(text: text, milliseconds: milliseconds))
        if messages.count > MessageLog.most { messages.removeFirst() }
    }

    /// Newest first; choosing one says it again, whole.
    func palette(at milliseconds: Int) -> Palette {
        Palette(
            title: "Messages",
            items: messages.reversed().map { message in
                Palette.Item(
                    keys: MessageLog.age((milliseconds - message.milliseconds) / 1_000),
                    title: message.text, choice: .say(message.text))
            }, isWide: true)
    }

    private static func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h"
        }
    }
}
