import ArgumentParser
import Testing

@testable import ValetCommands

@Test func theManualHasEveryCommand() throws {
    let page = try ManualPage.text(of: ValetCommand.self)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == ".TH VALET 1 \"\" \"valet 0.1\"")
    for command in ValetCommand.configuration.subcommands {
        let name = command._commandName.replacing("-", with: "\\-")
        #expect(lines.contains(".SS valet \(name)"), "\(name)")
    }
    #expect(lines.contains("\\fB\\-\\-color <color>\\fR"))
    #expect(lines.contains("\\fB\\-h, \\-\\-help\\fR"))
    #expect(page.utf8.allSatisfy { $0 < 0x80 } && page.contains("FILE.csv \\[u2026]"))
    #expect(
        lines.contains { $0.contains("equality value") && $0.hasSuffix("make = bmw, audi") },
        "the grammar of conditions")
    let macros = [".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"]
    for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
        #expect(macros.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
    }
}
