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
    let sections = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
    #expect(sections.suffix(5) == ["COMMANDS", "CONDITIONS", "KEYS", "FILES", "EXAMPLES"])
    #expect(lines.contains("\\fBF, \\e\\fR"), "a key of a table")
    #expect(lines.contains("edits or drops one condition; drops all"))
    #expect(lines.contains("\\fB~/.config/valet/config.yaml\\fR"))
    #expect(lines.contains { $0.hasPrefix("valet export cars.sqlite") })
    expectOnlyMacros(page)
}

@Test func theManualOfTheServerHasEveryCommand() throws {
    let page = try ManualPage.text(of: ValetdCommand.self)
    let lines = page.split(separator: "\n")
    #expect(lines.first == ".TH VALETD 8 \"\" \"valetd 0.1\"")
    for command in ValetdCommand.configuration.subcommands {
        #expect(lines.contains(".SS valetd \(command._commandName)"))
    }
    #expect(lines.contains { $0.hasPrefix("\\fB\\-\\-certificate") })
    #expect(!lines.contains(".SH CONDITIONS") && !lines.contains(".SH KEYS"))
    expectOnlyMacros(page)
}

@Test func theVersionNamesProtocolAndBuild() {
    #expect(ProgramVersion.text(commit: "d62d78b4") == "0.1 (protocol 1, build d62d78b4)")
    #expect(ProgramVersion.text(commit: "") == "0.1 (protocol 1, development build)")
}

private func expectOnlyMacros(_ page: String) {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let macros = [".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi"]
    for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
        #expect(macros.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
    }
}
