import Foundation
import Testing

@testable import ValetTerminal

/// What a line writes while `body` has it.
private func written(
    isTerminal: Bool = true, interval: Duration = .zero, _ body: (ProgressLine) -> Void
) -> String {
    let pipe = Pipe()
    body(
        ProgressLine(
            descriptor: pipe.fileHandleForWriting.fileDescriptor, isTerminal: isTerminal,
            interval: interval))
    pipe.fileHandleForWriting.closeFile()
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
}

@Test(arguments: [(true, "\r\u{1B}[Kreading\r\u{1B}[Kreading 40 %\r\u{1B}[K"), (false, "")])
func progressIsOneLineThatGoesAwayOnTerminalsOnly(isTerminal: Bool, expected: String) {
    let text = written(isTerminal: isTerminal) { line in
        line.begin("reading")
        line.show("reading 40 %")
        line.end()
        line.end()
    }
    #expect(text == expected)
}

@Test func progressIsLimitedInRateAndStagesAreShown() {
    let text = written(interval: .seconds(3_600)) { line in
        for row in 0..<1_000 { line.show("row \(row)") }
        line.begin("sorting")
        for row in 0..<1_000 { line.show("row \(row)") }
        line.end()
    }
    #expect(text == "\r\u{1B}[Ksorting\r\u{1B}[K")
}

@Test func workThatIsDoneAtOnceSaysNothing() {
    let text = written(interval: .seconds(3_600)) { line in
        line.show("done")
        line.end()
    }
    #expect(text == "")
}
