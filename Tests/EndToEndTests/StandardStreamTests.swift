import Foundation
import Testing

/// What is said may have nowhere to go: the program goes on, or ends as it would have.
@Suite(.timeLimit(.minutes(5))) struct StandardStreamTests {
    private func shell(_ line: String, in scratch: Scratch) throws -> Finished {
        let (output, words) = (scratch.path("out"), scratch.path("err"))
        let process = try RunningProcess(
            path: "/bin/sh", arguments: ["-c", line], environment: scratch.environment,
            output: output, words: words)
        let code = try process.waitForEnd()
        return Finished(
            code: code, output: try Data(contentsOf: URL(filePath: output)),
            words: try Data(contentsOf: URL(filePath: words)))
    }

    #if os(Linux)
        @Test func aServerWhoseLogIsFullServesOn() throws {
            try Scratch.with { scratch in
                let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
                let output = scratch.path("address")
                let server = try Program.valetd.start(
                    ["serve", file, "--listen", "127.0.0.1:0"], in: scratch, output: output,
                    words: "/dev/full")
                defer { server.end() }
                let address = try eventually("valetd listens") {
                    if !server.isRunning { throw Unfinished(what: "valetd ended") }
                    let text = try String(contentsOf: URL(filePath: output), encoding: .utf8)
                    return text.hasSuffix("\n") ? String(text.dropLast()) : nil
                }
                let added = try Program.valet.run(["add", address, "make=Kia"], in: scratch)
                #expect(added.code == 0, "\(added.message)")
                server.send(SIGTERM)
                #expect(try server.waitForEnd() == 0)
            }
        }
    #endif

    @Test(arguments: ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func anErrorThatNobodyHearsHasItsCode(closed: String) throws {
        try Scratch.with { scratch in
            let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
            let heard = try Program.valet.run(["rows", file, "--list", "nope"], in: scratch)
            let line = "exec '\(Program.valet.path)' rows '\(file)' --list nope \(closed)"
            #expect(heard.code > 0 && heard.message.contains("nope"))
            #expect(try shell(line, in: scratch).code == heard.code)
        }
    }

    @Test func whatIsPrintedNowhereIsAnError() throws {
        try Scratch.with { scratch in
            let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
            let rows = try shell("exec '\(Program.valet.path)' rows '\(file)' >&-", in: scratch)
            #expect(rows.code == 1 && rows.message.contains("standard output"))
            let help = try shell("exec '\(Program.valet.path)' --help >&-", in: scratch)
            #expect(help.code == 1 && help.message.contains("standard output"))
        }
    }

    @Test func whatIsNotUTF8IsNotStored() throws {
        try Scratch.with { scratch in
            let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
            let line = "exec '\(Program.valet.path)' add '\(file)' \"make=$(printf '\\377a')\""
            let added = try shell(line, in: scratch)
            #expect(added.code == 2 && added.message.contains("argument 3 is not UTF-8"))
            #expect(try Program.valet.run(["count", file], in: scratch).text == "1\n")
        }
    }
}
