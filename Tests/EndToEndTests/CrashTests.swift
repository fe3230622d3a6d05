import TestSupport
import Testing

/// A server that is killed while stations write.
@Suite(.runsPrograms) struct CrashTests {
    private let scratch = Scratch()

    @Test func nothingIsLostOrDoubledWhenTheServerIsKilled() throws {
        let done = try Program.load.run(
            ["crash", "--rows", "500", "--stations", "8", "--kills", "4", "--seed", "3"],
            in: scratch)
        #expect(done.code == 0, "\(done.text)\(done.message)")
        #expect(done.text.hasPrefix("4 kills, 8 stations, 500 cars, seed 3\n"))
    }
}
