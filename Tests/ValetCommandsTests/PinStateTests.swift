import Testing

@testable import ValetCommands
@testable import ValetTerminal

@Test func readingAllRowsOfAnEarlierPinnedViewEndsNothing() {
    let (earlier, one, two) = (CallToken(number: 1), CallToken(number: 2), CallToken(number: 3))
    var pin = AppLink.PinState()
    pin.beginReadingMatching(earlier)
    pin.leave()
    #expect(!pin.isReadingMatching)
    pin.beginReadingMatching(one)
    pin.beginReadingMatching(two)
    let ended = [earlier, two, one, one].map { pin.endReadingMatching($0) }
    #expect(ended == [false, false, true, false])
}
