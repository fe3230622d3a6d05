import Testing

@testable import ValetTerminal

/// Which frame is shown while an answer is on its way.
@Suite struct FramesTests {
    private func screen(_ text: String) -> Screen {
        var screen = Screen(size: Size(columns: 10, rows: 1))
        screen.write(text, row: 0, column: 0)
        return screen
    }

    /// A whole frame, then an answer is missing from 1,000 on.
    private func waiting(isNews: Bool = false) -> Frames {
        var frames = Frames()
        frames.drew(screen("whole"), skeletons: 0)
        frames.handled(isAnswered: false, isNews: isNews, at: 1_000)
        return frames
    }

    @Test func aWholeFrameStandsForAMoment() {
        let frames = waiting()
        #expect(!frames.isWhole)
        #expect(frames.standing(at: 1_079)?.screen == screen("whole"))
        #expect(frames.standing(at: 1_080) == nil)
    }

    @Test func moreEventsDoNotHoldItLonger() {
        var frames = waiting()
        frames.handled(isAnswered: false, isNews: false, at: 1_070)
        #expect(frames.standing(at: 1_080) == nil)
    }

    @Test func newsIsShownAtOnceAndGoesOnBeingShown() {
        var frames = waiting(isNews: true)
        #expect(frames.standing(at: 1_000) == nil)
        frames.handled(isAnswered: false, isNews: false, at: 1_010)
        #expect(frames.standing(at: 1_010) == nil)
    }

    @Test func aFrameThatIsNotWholeDoesNotStand() {
        var frames = waiting()
        frames.drew(screen("half"), skeletons: 3)
        frames.handled(isAnswered: true, isNews: false, at: 1_100)
        frames.handled(isAnswered: false, isNews: false, at: 1_110)
        #expect(frames.standing(at: 1_110) == nil)
    }

    @Test func anAnswerThatIsMissingForLongIsSlow() {
        var frames = waiting()
        #expect(!frames.isSlow(at: 2_999) && frames.isSlow(at: 3_000))
        frames.handled(isAnswered: true, isNews: false, at: 3_000)
        #expect(frames.isWhole && !frames.isSlow(at: 9_000))
    }
}
