/// The type of a frame. Receivers skip unknown even kinds and refuse unknown odd ones, so every
/// message that requires an answer or changes the conversation is odd.
package enum FrameKind: UInt8, CaseIterable, Sendable {
    // From the client.
    case hello = 0x01
    case catalogRequest = 0x03
    case openView = 0x05
    case rearrangeView = 0x07
    case closeView = 0x09
    case windowRequest = 0x0B
    case indexRequest = 0x0D
    case sectionsRequest = 0x0F
    case locateRequest = 0x11
    case detailRequest = 0x13
    case pieceRequest = 0x15
    case credit = 0x17
    case ping = 0x19
    case statisticsRequest = 0x1B
    case presence = 0x20
    case writerRequest = 0x21
    case command = 0x23
    case retireWriter = 0x25
    case historyRequest = 0x27
    case follow = 0x29
    case unfollow = 0x2B
    case refresh = 0x2D
    case cancelRefresh = 0x2F
    case aggregatesRequest = 0x31
    case backupRequest = 0x35
    case blockRequest = 0x37

    // From the server.
    case welcome = 0x81
    case catalogAnswer = 0x83
    case viewOpened = 0x85
    case viewClosed = 0x87
    case windowAnswer = 0x89
    case page = 0x8B
    case indexAnswer = 0x8D
    case sectionsAnswer = 0x8F
    case locateAnswer = 0x91
    case detailAnswer = 0x93
    case pieceAnswer = 0x95
    case pong = 0x97
    case goingAway = 0x99
    case error = 0x9B
    case statisticsAnswer = 0x9D
    case buildProgress = 0xA0
    case writerAnswer = 0xA1
    case presenceOfOthers = 0xA2
    case outcome = 0xA3
    case refreshProgress = 0xA4
    case writerRetired = 0xA5
    case node = 0xA6
    case historyAnswer = 0xA7
    case following = 0xA9
    case changes = 0xAB
    case unfollowed = 0xAD
    case feedEnded = 0xAF
    case refreshed = 0xB1
    case aggregatesAnswer = 0xB3
    case backupAnswer = 0xB5
    case blockAnswer = 0xB7

    /// True for kinds that a receiver may skip when it does not know them.
    package static func isSkippable(_ kind: UInt8) -> Bool { kind & 1 == 0 }
}
